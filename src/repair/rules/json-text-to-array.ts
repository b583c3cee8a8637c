// Models encode a list a second time. It is read as that, and only that. Leaves alone: places where text is allowed,
// and text that starts like no container.
import { type JsonObject, isJsonArray, isJsonObject } from '../../json/value.ts';
import { declaresKeys, readContainerText } from '../read-text.ts';
import { type Place, type ValueRule, decodedAs, refused, silent } from '../repair-rule.ts';

export const jsonTextToArray: ValueRule = {
  id: 'json_text_to_array',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'text where a list is declared: JSON, Python literals, or JSON as models write it',
  becomes: 'the list; repair goes on inside, digits stay exact',
  notWhen:
    'the text is another kind, unless it is one object that the element declares every key of, or whose one key is the list’s name; closers are missing, whatever the finish reason',
  propose(place) {
    if (!place.view.types.has('array') || typeof place.value !== 'string') return silent;
    const read = readContainerText(place, place.value);
    if (read.kind === 'other') return silent;
    if (read.kind === 'text') return decodedAs(read.value);
    if (read.kind === 'unreadable') return refused;
    if (isJsonArray(read.value)) return decodedAs(read.value);
    return isJsonObject(read.value) && isOneElement(place, read.value) ? decodedAs(read.value) : refused;
  },
};

function isOneElement(place: Place, object: JsonObject): boolean {
  const keys = Object.keys(object);
  if (keys.length === 0) return false;
  return declaresKeys(place.ask, place.view.items, keys) || (keys.length === 1 && keys[0] === place.name);
}
