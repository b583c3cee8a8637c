import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, writeJson } from '../json/serialize.ts';
import type { JsonValue } from '../json/value.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/**
 * `sha256:…` of what a model reads about the tool: name, description, hints and input schema, in
 * any order of keys. Effects, limits and code don't change it.
 */
export function contractDigest({ name, description, hints, inputSchema }: ToolContract): string {
  const { value } = writeJson({ name, description, hints, inputSchema });
  return digestOf(value);
}

/** `sha256:…`; the order of keys makes no difference. */
export const digestOf = (value: JsonValue): string =>
  `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))}`;
