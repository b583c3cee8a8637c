// What does a failure of the strict readings say, in our words?
import { quote } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import type { StrictFailure } from '../../validate/strict-readings.ts';

/** A path that is a link, or a key in another spelling. */
export const strictIssue = ({ keyword, path, key, declared }: StrictFailure): Issue => ({
  keyword,
  path,
  ...(key === undefined ? {} : { key }),
  ...(declared === undefined
    ? { advice: 'send the path alone' }
    : { advice: `send ${quote(declared)} once` }),
});
