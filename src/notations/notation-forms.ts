import { mistral, mistralForm } from './mistral.ts';
import { jsonInTags, jsonInTagsForm } from './json-in-tags.ts';
import { qwenXml, qwenXmlForm } from './qwen-xml.ts';
import { invokeXml, invokeXmlForm } from './invoke-xml.ts';
import { elementXml, elementXmlForm } from './element-xml.ts';
import { glm, glmForm } from './glm.ts';
import { gemma, gemmaForm } from './gemma.ts';
import { kimi, kimiForm } from './kimi.ts';
import { kimiK3, kimiK3Form } from './kimi-k3.ts';
import { deepseek, deepseekForm } from './deepseek.ts';
import { harmony, harmonyForm } from './harmony.ts';
import { functionary, functionaryForm } from './functionary.ts';
import { react, reactForm } from './react.ts';
import { keylessEnvelope, keylessEnvelopeForm } from './keyless-envelope.ts';
import { pythonic, pythonicForm } from './pythonic.ts';
import type { NotationForm } from './notation.ts';

/**
 * How calls are written in each notation, by its id. Apart from the table, because reading calls
 * doesn't need it.
 */
export const notationForms: ReadonlyMap<string, NotationForm> = new Map([
  [mistral.id, mistralForm],
  [jsonInTags.id, jsonInTagsForm],
  [qwenXml.id, qwenXmlForm],
  [invokeXml.id, invokeXmlForm],
  [elementXml.id, elementXmlForm],
  [glm.id, glmForm],
  [gemma.id, gemmaForm],
  [kimi.id, kimiForm],
  [kimiK3.id, kimiK3Form],
  [deepseek.id, deepseekForm],
  [harmony.id, harmonyForm],
  [functionary.id, functionaryForm],
  [react.id, reactForm],
  [keylessEnvelope.id, keylessEnvelopeForm],
  [pythonic.id, pythonicForm],
]);
