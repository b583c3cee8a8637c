// Words around an object: thanks and remarks are left out, and words that take the call back refuse
// it, in each language that the project knows; before it, those that deny it do.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { closedOf, text, whole } from '../schemas.ts';

const schema = closedOf({ path: text, maxResults: whole }, ['path']);
const object = '{"path": "src/a.ts"}';

interface Language {
  readonly name: string;
  /** Sentences that leave the call as it is. */
  readonly thanks: readonly string[];
  /** Words of such sentences. */
  readonly neutral: readonly string[];
  /** What takes a call back, corrects it, offers another one or says that it need not be made. */
  readonly takesBack: readonly string[];
  /** Between words. */
  readonly blank: string;
}

const languages: readonly Language[] = [
  {
    name: 'English',
    thanks: [
      'Thank you!',
      'Done.',
      'This reads the file.',
      'I am waiting for the result.',
      'Notes follow.',
    ],
    neutral: ['this', 'reads', 'the', 'file', 'now', 'for', 'you', 'thanks'],
    takesBack: [
      'wait',
      'no',
      'not',
      "don't",
      'don’t',
      "isn't",
      'cannot',
      'never',
      'actually',
      'instead',
      'rather',
      'but',
      'or',
      'wrong',
      'mistake',
      'sorry',
      'correction',
      'I meant',
      'would',
      'should',
      'alternatively',
      'however',
      'unless',
      'nope',
      'oops',
      'ignore that',
      'disregard',
      'cancel it',
      'scratch that',
      'forget it',
      'hold on',
      'otherwise',
    ],
    blank: ' ',
  },
  {
    name: 'German',
    thanks: ['Danke schön.', 'Das liest die Datei.', 'Fertig!'],
    neutral: ['das', 'liest', 'die', 'Datei', 'jetzt', 'danke'],
    takesBack: [
      'warte',
      'nein',
      'nicht',
      'keine',
      'nie',
      'eigentlich',
      'stattdessen',
      'lieber',
      'sondern',
      'aber',
      'doch',
      'oder',
      'falsch',
      'ein Fehler',
      'Entschuldigung',
      'Korrektur',
      'ich meinte',
      'würde',
      'sollte',
      'alternativ',
      'vielmehr',
      'jedoch',
      'ignoriere das',
      'vergiss das',
    ],
    blank: ' ',
  },
  {
    name: 'French',
    thanks: ['Merci beaucoup.', 'C’est fait.', 'Voici le fichier.'],
    neutral: ['merci', 'voici', 'le', 'fichier', 'demandé'],
    takesBack: [
      'attends',
      'attendez',
      'non',
      'ne',
      "n'est",
      'pas',
      'jamais',
      'plutôt',
      'mais',
      'ou',
      'erreur',
      'faux',
      'désolé',
      'désolée',
      'pardon',
      'je voulais',
      'devrait',
      'en fait',
      'au lieu de cela',
      'sinon',
      'cependant',
      'annulez',
      'ignorez cela',
    ],
    blank: ' ',
  },
  {
    name: 'Spanish',
    thanks: ['Muchas gracias.', 'Listo.', 'Lee el archivo.'],
    neutral: ['gracias', 'lee', 'el', 'archivo', 'ahora'],
    takesBack: [
      'espera',
      'no',
      'nunca',
      'jamás',
      'mejor',
      'sino',
      'pero',
      'error',
      'perdón',
      'quería',
      'debería',
      'en realidad',
      'en lugar de eso',
      'en vez de',
      'equivocado',
      'olvida eso',
    ],
    blank: ' ',
  },
  {
    name: 'Portuguese',
    thanks: ['Muito obrigado.', 'Pronto.'],
    neutral: ['obrigado', 'pronto', 'arquivo', 'agora'],
    takesBack: [
      'espere',
      'não',
      'nem',
      'nunca',
      'mas',
      'ou',
      'erro',
      'errado',
      'desculpe',
      'queria',
      'deveria',
      'na verdade',
      'em vez disso',
      'porém',
      'cancela isso',
    ],
    blank: ' ',
  },
  {
    name: 'Italian',
    thanks: ['Grazie mille.', 'Fatto.'],
    neutral: ['grazie', 'fatto', 'il', 'file', 'adesso'],
    takesBack: [
      'aspetta',
      'non',
      'invece',
      'anzi',
      'però',
      'ma',
      'oppure',
      'errore',
      'sbagliato',
      'scusa',
      'volevo',
      'dovrebbe',
      'in realtà',
      'piuttosto',
      'annulla tutto',
    ],
    blank: ' ',
  },
  {
    name: 'Polish',
    thanks: ['Dziękuję!', 'Gotowe.', 'To odczytuje plik.'],
    neutral: ['to', 'odczytuje', 'plik', 'teraz', 'dla', 'ciebie', 'dziękuję'],
    takesBack: [
      'poczekaj',
      'chwileczkę',
      'nie',
      'nigdy',
      'żadnego',
      'zamiast',
      'raczej',
      'lecz',
      'ale',
      'jednak',
      'albo',
      'lub',
      'błąd',
      'pomyliłem się',
      'przepraszam',
      'sprostowanie',
      'chciałem',
      'powinienem',
      'właściwie',
      'zignoruj to',
      'anuluj to',
      'zapomnij o tym',
    ],
    blank: ' ',
  },
  {
    name: 'Russian',
    thanks: ['Спасибо!', 'Готово.'],
    neutral: ['спасибо', 'готово', 'файл', 'сейчас'],
    takesBack: [
      'подожди',
      'погодите',
      'нет',
      'не',
      'никогда',
      'лучше',
      'вместо',
      'но',
      'или',
      'ошибка',
      'неверно',
      'извините',
      'должно',
      'однако',
      'я имел в виду',
      'на самом деле',
      'отмени',
    ],
    blank: ' ',
  },
  {
    name: 'Hindi',
    thanks: ['धन्यवाद।'],
    neutral: ['धन्यवाद', 'फ़ाइल', 'अब'],
    takesBack: ['नहीं', 'मत', 'लेकिन', 'या', 'गलत', 'बजाय', 'रुको', 'माफ़', 'चाहिए', 'रद्द'],
    blank: ' ',
  },
  {
    name: 'Chinese',
    thanks: ['谢谢。', '非常感谢！', '已读取文件。'],
    neutral: ['谢谢', '现在', '读取', '文件'],
    takesBack: [
      '不',
      '没有',
      '别',
      '等等',
      '但是',
      '或者',
      '错了',
      '抱歉',
      '应该',
      '而是',
      '改为',
      '其实',
      '对不起',
      '并非',
      '还是',
      '取消',
      '忽略',
    ],
    blank: '',
  },
  {
    name: 'Japanese',
    thanks: ['ありがとうございます。', '読みました。'],
    neutral: ['ファイル', 'を', '読み', 'ました'],
    takesBack: [
      '待って',
      'いや',
      'しない',
      'しません',
      'しかし',
      'または',
      '代わりに',
      '間違い',
      'すみません',
      'すべき',
      'ではなく',
      '違う',
      '訂正',
      'やはり',
      '実は',
      '取り消し',
    ],
    blank: '',
  },
  {
    name: 'Korean',
    thanks: ['감사합니다.', '파일을 읽습니다.'],
    neutral: ['감사합니다', '파일을', '읽습니다', '지금'],
    takesBack: [
      '잠깐',
      '아니',
      '하지 않',
      '하지만',
      '또는',
      '대신',
      '잘못',
      '죄송',
      '그러나',
      '사실',
      '오히려',
      '실수',
      '정정',
      '취소',
    ],
    blank: ' ',
  },
];

const interpret = (behind: string, before = '') =>
  interpretArguments(schema, { text: before + object + behind }, { finishReason: 'stop' });
const start = fc.constantFrom(' ', '\n', '\n\n', '  ');
const end = fc.constantFrom('', '.', '!', '…', ' 👍');

describe.each(languages)('$name', ({ thanks, neutral, takesBack, blank }) => {
  test('thanks and remarks are left out', () => {
    const words = fc
      .array(fc.constantFrom(...neutral), { minLength: 1, maxLength: 6 })
      .map((drawn) => drawn.join(blank));
    fc.assert(
      fc.property(start, fc.oneof(words, fc.constantFrom(...thanks)), (space, said) => {
        expect(interpret(space + said)).toMatchObject({ value: { path: 'src/a.ts' } });
      }),
    );
  });

  test('what takes the call back refuses it, wherever it stands', () => {
    const around = fc.array(fc.constantFrom(...neutral), { maxLength: 4 });
    const spell = fc.constantFrom<(word: string) => string>(
      (word) => word,
      (word) => word.toUpperCase(),
      (word) => word.charAt(0).toUpperCase() + word.slice(1),
      (word) => `"${word}"`,
      (word) => `**${word}**`,
    );
    fc.assert(
      fc.property(
        start,
        around,
        fc.constantFrom(...takesBack),
        spell,
        around,
        end,
        (space, before, phrase, spelt, after, stop) => {
          const said = [...before, spelt(phrase), ...after].join(blank) + stop;
          expect([said, interpret(space + said).status]).toEqual([said, 'rejected']);
        },
      ),
      { numRuns: propertyRuns * 4 },
    );
  });
});

/** Each with a language's words around it. */
const denied: readonly (readonly [name: string, words: string])[] = [
  ['English', 'not'],
  ['English', "don't"],
  ['English', 'never'],
  ['English', 'would'],
  ['English', 'should'],
  ['German', 'nicht'],
  ['French', 'pas'],
  ['Spanish', 'nunca'],
  ['Portuguese', 'não'],
  ['Italian', 'non'],
  ['Polish', 'nie'],
  ['Russian', 'не'],
  ['Hindi', 'मत'],
  ['Chinese', '不'],
  ['Japanese', 'ない'],
  ['Korean', '하지 않'],
];

test('words before it are left out, unless they deny it in the clause that goes on to it', () => {
  const drawn = fc.constantFrom(...denied).chain(([name, denial]) => {
    const { neutral = [], blank = ' ' } = languages.find((one) => one.name === name) ?? {};
    const words = fc.array(fc.constantFrom(...neutral), { minLength: 1, maxLength: 4 });
    return fc.record({
      denial: fc.constant(denial),
      blank: fc.constant(blank),
      words,
      more: words,
    });
  });
  const open = fc.constantFrom(':\n', '\n', ':\n\n');
  const closed = fc.constantFrom('.\n', '. Now:\n', '!\n\n', ', now:\n');
  fc.assert(
    fc.property(drawn, open, closed, ({ denial, blank, words, more }, goesOn, ends) => {
      const said = [...words, ...more].join(blank) + goesOn;
      expect([said, interpret('', said).status]).toEqual([said, 'repaired']);
      const denying = [...words, denial, ...more].join(blank);
      expect([denying, interpret('', denying + goesOn).status]).toEqual([denying, 'rejected']);
      expect([denying, interpret('', denying + ends).status]).toEqual([denying, 'repaired']);
    }),
    { numRuns: propertyRuns * 4 },
  );
});

test('a question and a declared name refuse it', () => {
  const said = fc.constantFrom(
    'ok?',
    'はい？',
    'نعم؟',
    'with max results',
    'with max-results set',
    '--max-results 5',
    'maxResults stays',
    'MAX_RESULTS',
    'the path is src',
    'see `path`',
  );
  fc.assert(
    fc.property(start, said, end, (space, words, stop) => {
      expect([words, interpret(space + words + stop).status]).toEqual([words, 'rejected']);
    }),
  );
});
