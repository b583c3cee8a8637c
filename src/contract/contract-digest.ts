// Is a tool's definition still the one that somebody has looked at? A digest of all that a model is told of it.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/canonical-json.ts';
import { writeJson } from '../json/write-json.ts';
import type { ToolContract } from './tool-contract.ts';

/**
 * `sha256:…` over name, description, hints and input schema, whatever the order of keys. Not over what a model isn't
 * told: who executes it, its effects, its limits.
 */
export function contractDigest({ name, description, hints, inputSchema }: ToolContract): string {
  const { value } = writeJson({ name, description, hints, inputSchema });
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}
