// Merges the answers of several servers into one.
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

/** The result of one server. */
export interface ServerResult {
  readonly server: string;
  readonly result: JsonObject;
}

/**
 * The answer to `initialize`: the oldest protocol version, everything that any server can do, all
 * instructions.
 */
export function mergeInitialize(results: readonly ServerResult[]): JsonObject {
  const versions = results.flatMap(({ result }) => stringsIn(ownValue(result, 'protocolVersion')));
  return {
    protocolVersion: versions.toSorted()[0] ?? '',
    capabilities: mergedCapabilities(results),
    serverInfo: { name: 'toolmend', title: titleOf(results), version: '1' },
    ...mergedInstructions(results),
  };
}

/** The answer to `server/discover`: the protocol versions that all servers support. */
export function mergeDiscover(results: readonly ServerResult[]): JsonObject {
  const versionLists = results.map(({ result }) =>
    stringsIn(ownValue(result, 'supportedVersions')),
  );
  const [first = [], ...others] = versionLists;
  return {
    ...commonMembers(results),
    supportedVersions: first.filter((version) =>
      others.every((versions) => versions.includes(version)),
    ),
    capabilities: mergedCapabilities(results),
    ...mergedInstructions(results),
  };
}

/**
 * Members of merged results of the revision 2026-07-28: the shortest time to live, and `private` if
 * one server says so.
 */
export function commonMembers(results: readonly ServerResult[]): JsonObject {
  const values = (key: string): readonly JsonValue[] =>
    results.flatMap(({ result }) => ownValue(result, key) ?? []);
  const times = values('ttlMs').filter((time) => typeof time === 'number');
  const scopes = values('cacheScope');
  return {
    ...(values('resultType').length > 0 ? { resultType: 'complete' } : {}),
    ...(times.length > 0 ? { ttlMs: Math.min(...times) } : {}),
    ...(scopes.length > 0 ? { cacheScope: scopes.includes('private') ? 'private' : 'public' } : {}),
  };
}

const mergedCapabilities = (results: readonly ServerResult[]): JsonObject => {
  const union = results
    .map(({ result }) => ownValue(result, 'capabilities') ?? {})
    .filter((capabilities) => isJsonObject(capabilities))
    .reduce(mergedObjects, {});
  // A server that goes takes its tools with it.
  return { ...union, tools: { listChanged: true } };
};

/** `true` of either side counts; other values are those of the left side. */
function mergedObjects(left: JsonObject, right: JsonObject): JsonObject {
  const members = Object.entries(right).map(([key, value]): readonly [string, JsonValue] => {
    const leftValue = ownValue(left, key);
    if (leftValue === undefined || value === true) return [key, value];
    return [
      key,
      isJsonObject(leftValue) && isJsonObject(value) ? mergedObjects(leftValue, value) : leftValue,
    ];
  });
  return { ...left, ...Object.fromEntries(members) };
}

function mergedInstructions(results: readonly ServerResult[]): JsonObject {
  const parts = results.flatMap(({ server, result }) =>
    stringsIn(ownValue(result, 'instructions')).map((text) => `# ${server}\n${text}`),
  );
  return parts.length === 0 ? {} : { instructions: parts.join('\n\n') };
}

const titleOf = (results: readonly ServerResult[]): string =>
  `toolmend for ${results.map(({ server }) => server).join(', ')}`;

/** The strings in a list, or the one string. */
const stringsIn = (value: JsonValue | undefined): readonly string[] =>
  (isJsonArray(value) ? value : [value]).filter((text) => typeof text === 'string');
