const long = 100_000;
const filled = (unit: string, end: string): string =>
  unit.repeat(Math.floor(long / unit.length)) + end;

/**
 * Patterns with texts for which an engine that backtracks takes time without end, as known from
 * advisories and papers.
 */
export const evilPatterns: readonly (readonly [pattern: string, text: string])[] = [
  ['^(a+)+$', filled('a', '!')],
  ['(a+)+b', filled('a', '')],
  ['^(a|a)*$', filled('a', '!')],
  ['^(a?)*$', filled('a', '!')],
  ['(.*a){12}', filled('a', '!')],
  ['^(\\w+\\s?)*$', filled('aaaa ', '!')],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', filled('a', '')],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    filled('a', '!'),
  ],
  ['\\s+$', filled(' ', 'x')],
  ['^\\s+|\\s+$', `x${filled(' ', 'x')}`],
  ['(\\s*\\n)+$', filled('\n', 'x')],
  ['.*.*=.*', filled('x', '')],
  ['x*x*x*$', filled('x', 'y')],
  ['a.*b.*c.*d', filled('abc', '')],
  ['<!--.*-->', filled('<!--', '')],
  ['"[^"]*\\\\"x', filled('"\\', '')],
  ['(?:a+){10}b', filled('a', '')],
  ['^(?:a{1,50}){1,50}$', filled('a', '!')],
  ['^(?:(?:a+)+b?)+$', filled('a', '!')],
  ['^(a|b|ab)*c$', filled('ab', '')],
  ['^([^=]+=[^;]+;?)+$', filled('a=b;', '=')],
  ['^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$', filled('a.b/', '!')],
  ['^[\\w.+-]+(\\.[\\w-]+)*@[\\w-]+(\\.[\\w-]+)+$', filled('a.', '')],
  ['^(?=(a+))\\1$', filled('a', '!')],
  ['^(a+)+\\1$', filled('a', '!')],
  ['^(?=.*a)(?=.*b)(a|b)*$', filled('ab', '!')],
  ['(?<=a+)b', filled('a', '')],
  ['^(?!.*(a+)+$).*!$', filled('a', '!')],
  ['^(?:(\\w)(?!\\1))+$', filled('ab', '!')],
  ['^([\\s\\S]*?)*end$', filled('x', '')],
  ['^(?:.|\\n)*(?:.|\\n)*!$', filled('x\n', '')],
  ['(?i:a+)+b', filled('a', '')],
  ['^(?:x|(?s-i:a+)+)+$', filled('a', '!')],
  ['^\\\\k<(a+)+>$', filled('a', '!').replace('a', '\\k<a')],
];
