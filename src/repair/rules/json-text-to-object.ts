// Models encode an object a second time. It is read as that, and only that. Leaves alone: places where text is
// allowed.
import { isJsonObject } from '../../json/value.ts';
import { readContainerText } from '../read-text.ts';
import { type ValueRule, decodedAs, refused, silent } from '../repair-rule.ts';

export const jsonTextToObject: ValueRule = {
  id: 'json_text_to_object',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'text where an object is declared: JSON, Python literals, or JSON as models write it',
  becomes: 'the object; repair goes on inside, digits stay exact',
  notWhen: 'the text is another kind; closers are missing, whatever the finish reason',
  propose(place) {
    if (!place.view.types.has('object') || typeof place.value !== 'string') return silent;
    const read = readContainerText(place, place.value);
    if (read.kind === 'other') return silent;
    if (read.kind === 'text') return decodedAs(read.value);
    if (read.kind === 'unreadable') return refused;
    return isJsonObject(read.value) ? decodedAs(read.value) : refused;
  },
};
