import { longestTag } from './notation.ts';
import { tagPrefix, tagToken } from './wrapping-tags.ts';

/** Tokenizers write a blank as `Ġ`, and servers may lose it. */
const blanksOfTokens = '[\\sĠ]*';

/** `<parameter=KEY>`, `<parameter name="KEY">` and `<param name="KEY">`, and what closes them. */
export const parameterTags = {
  parameter: `${tagToken}<(?<prefix>${tagPrefix})param(?:eter)?(?:=(?<key>"[^<>"\\n]{1,128}"|[^<>"\\n]{1,128})|${blanksOfTokens}name=(?<mark>["'])(?<quoted>[^"'<>\\n]{1,128})\\k<mark>(?<attributes>[^<>]{0,${longestTag}}))>`,
  parameterEnd: `${tagToken}</(?<closingPrefix>${tagPrefix})param(?:eter)?(?:>|$)`,
  bent: `${tagToken}</${tagPrefix}param(?:eter)?(?:/>|_function>|=(?<closed>[\\w.-]{1,64})>|(?=\\s*<))|<\\\\/param(?:eter)?>`,
} as const;
