import { wordsInName } from '../json/nearest-name.ts';

/**
 * Words that may take back what was said before them: negations, corrections, alternatives and
 * modals, in the languages that the project knows.
 */
const words = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_])(?:${[
    "wait|no|not|\\p{L}+n['’]t|never|actually|instead|rather|but|or|wrong|mistake|sorry|correction|meant|would|should|alternatively",
    'warte|nein|nicht|kein\\p{L}*|nie|niemals|eigentlich|stattdessen|lieber|sondern|aber|oder|falsch|fehler|entschuldigung|korrektur|gemeint|würde\\p{L}*|sollte\\p{L}*|alternativ',
    'attendez?|non|ne|pas|jamais|plutôt|mais|ou|erreur|faux|désolée?|voulais|devrait|devrais|alternativement',
    'espera|no|nunca|jamás|mejor|sino|pero|o|error|perdón|quería|debería|alternativamente',
    'espere|não|nem|vez|mas|ou|erro|errado|desculpe|queria|deveria|aspetta|invece|anzi|però|ma|oppure|errore|sbagliato|scusa|volevo|dovrebbe',
    'подожди\\p{L}*|нет|не|никогда|лучше|вместо|но|или|ошибк\\p{L}*|неверно|извини\\p{L}*|должн\\p{L}*',
    'नहीं|मत|न|लेकिन|या|गलत|बजाय|रुको',
  ].join(
    '|',
  )})(?![\\p{L}\\p{M}\\p{N}_])|[不没沒别別勿]|等等|但|或|错|錯|抱歉|应该|應該|而是|改为|改為|待って|いや|ない|ません|しかし|または|代わり|間違|すみません|べき|잠깐|아니|않|하지만|또는|대신|잘못|죄송`,
  'iu',
);

/** Whether words behind an object may take it back, ask for consent, or speak of its arguments. */
export const mayTakeBack = (behind: string, names: Iterable<string>): boolean =>
  /[?？؟]/.test(behind) || words.test(behind) || [...names].some((name) => speaksOf(behind, name));

/** Whether text has a name as a word of its own, also between or with dashes: `--max-results`. */
function speaksOf(text: string, name: string): boolean {
  const parts = wordsInName(name);
  return (
    parts.length > 0 &&
    new RegExp(
      `(?<![\\p{L}\\p{M}\\p{N}_])${parts.join('[-_ ]?')}(?![\\p{L}\\p{M}\\p{N}_])`,
      'iu',
    ).test(text)
  );
}
