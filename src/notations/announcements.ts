// Whether the text before a tool call is nothing but the model saying that it calls a tool next.

import { wordsInName } from '../json/nearest-name.ts';

/** Characters that an introduction has at most. */
export const longestIntroduction = 500;
/** Characters of the sentence directly before a call. */
const longestSentence = 300;

/** Tokens between turns. */
const token = String.raw`<[|｜][^<>|｜\n]{1,64}[|｜]>|<\/s>|<end_of_turn>|<eos>`;
const blank = new RegExp(`^(?:\\s|\\uFEFF|${token})*$`);
/** The role and channel of the model's turn, as chat templates write them. */
const role = new RegExp(
  `^(?:\\s|\\uFEFF|${token})*(?:(?:assistant|model|commentary)[ \\t]*(?=\\n|${token}|$)(?:\\s|${token})*){0,4}`,
);
/** The end of reasoning whose beginning is not in the text. */
const endOfReasoning = /<\/(?:think|thinking)>\s*$/;
/** The end of a harmony message before the call's. */
const endOfMessage = /<\|end\|>\s*$/;

/** Whether a text says nothing: blanks, and tokens that end a turn. */
export const isBlank = (text: string): boolean => blank.test(text);

/**
 * Whether a text, which ends where a call begins, only introduces the call: each line is a short
 * answer such as "Sure!", or ends with a sentence in which the model says what it does next.
 * Anything else can be content that the model shows, a refusal or a text about calls, so only known
 * words count. `names`: the tools that are called; the words in them are known, too. `isThought`:
 * ReAct's thought may be one paragraph in any words. `isFirst`: the text is the beginning of the
 * answer, which may have the model's role and the end of reasoning.
 */
export function isIntroduction(
  before: string,
  names: readonly string[],
  isThought: boolean,
  isFirst: boolean,
): boolean {
  const own = isFirst
    ? before.replace(role, '').replace(endOfReasoning, '\n').replace(endOfMessage, '')
    : before;
  const text = own.replaceAll('’', "'");
  const lines = text.split('\n');
  const said = lines.filter((line) => line.trim() !== '');
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (said.length === 0) return true;
  if (text.length > longestIntroduction) return false;
  if (
    last !== '' &&
    !/[\p{Sentence_Terminal}…:：\p{Extended_Pictographic}\uFE0F][*_]*\s*$/u.test(last)
  )
    return false;
  const [first = '', ...rest] = said;
  const thought = /^Thought:[ \t]*/.exec(first)?.[0] ?? '';
  if (thought !== '' && isThought) return isParagraph(text.trim()) && !refuses.test(text);
  const english = englishFor(names);
  return [first.slice(thought.length), ...rest].every(
    (line, at) =>
      isOwnLine(line, english) && (at === said.length - 1 || !/[:：][*_\s]*$/.test(line)),
  );
}

/** Whether a text is one paragraph that introduces nothing by a colon and asks nothing. */
const isParagraph = (text: string): boolean => !/\n\s*\n|[:：?？][*_ \t\r]*(?:\n|$)/.test(text);

/** Whether a line is a short answer, or ends with a sentence that says what the model does next. */
function isOwnLine(line: string, english: RegExp): boolean {
  if (!/^[\p{L}¡\p{Extended_Pictographic}]/u.test(line) || !areQuotesClosed(line)) return false;
  const text = line.replaceAll(/[*_`]|[\p{Extended_Pictographic}\uFE0F\u200D]/gu, '').trim();
  if (/[?？]$/.test(text) || refuses.test(text)) return false;
  const said = text.replace(/[.:!…。：！।]+$/, '');
  if (assents.test(said)) return !/[:：]/.test(text);
  // What follows a colon is shown, unless the model says before it what it does.
  const colons = [...said.matchAll(/[:：](?=\s)|：/g)];
  return [...colons.map(({ index }) => said.slice(0, index)), said].every((part) =>
    announces(lastSentence(part), english),
  );
}

/** Whether each quotation in a line has ended. */
function areQuotesClosed(line: string): boolean {
  const count = (mark: RegExp): number => line.match(mark)?.length ?? 0;
  return (
    count(/"/g) % 2 === 0 &&
    count(/`/g) % 2 === 0 &&
    count(/[«‹「『„]/g) === count(/[»›」』]|(?<=„[^“”]*)[“”]/g) &&
    (line.includes('„') || count(/“/g) === count(/”/g))
  );
}

/** The last sentence of a text. */
const lastSentence = (text: string): string =>
  text.replace(/[^]*(?:[.!?…][)"'”]?\s|[。！？।])\s*/u, '');

/** Whether a sentence says in the first person what is done next. */
function announces(sentence: string, english: RegExp): boolean {
  if (sentence.length > longestSentence || shows.test(sentence)) return false;
  const found = english.exec(sentence);
  if (found !== null)
    return !hypothetical.test(sentence) && !doubts.test(sentence.slice(found.index));
  return others.some((pattern) => pattern.test(sentence)) && !negation.test(sentence);
}

const assent =
  "ok|okay|sure(?: thing)?|great|thanks|thank you|certainly|of course|absolutely|alright|right|got it|understood|yes|no problem|perfect|one moment(?: please)?|just a (?:moment|second)|first|next|then|now|finally|so|and|i can help(?: you)?(?: with that)?|i'd be (?:happy|glad) to help(?: you)?(?: with that)?|gerne|klar";
/** Matches an answer that says nothing but that the model goes on. */
const assents = new RegExp(`^(?:(?:${assent})[,.!]*(?:\\s+|$))+$`, 'i');

/** Verbs of what tools do; verbs such as "show", "quote" or "explain" introduce content. */
const action =
  'search|look (?:up|at|for|in|into|inside|through|around|that|this|it)|look$|take a look|have a look|check|double-check|perform|handle|find|get|fetch|read|query|list|open|load|retrieve|verify|inspect|view|examine|explore|investigate|start|begin|try|call|use|run|rerun|execute|invoke|create|make (?:an?|another|the) (?:\\w+ )?(?:call|request|query|search|edit|change)|update|edit|modify|change|replace|rename|move|add|remove|delete|save|store|write|send|compute|calculate|convert|count|compare|gather|collect|review|analy[sz]e|continue|proceed|book|schedule|test|build|compile|install|fix|debug|implement|refactor|see|apply|go (?:ahead|to)|help|browse|navigate|click|download|locate|identify|determine|figure|cancel|set|turn(?! to\\b)|place|order|pay|refund|commit|push(?! back)|deploy|merge|assign|transfer|submit|adjust|upload|grep|pull|process|reserve|register|track|connect|restart|scan|filter|sort|switch|enable|disable|lock|unlock|reset|increase|decrease|archive|publish|trigger|launch|restore|revert|clone|measure|estimate|arrange|resolve';
/** Verbs that announce in the present tense, too. */
const presentAction =
  'search|look (?:up|at|for|in|into|inside|through|that|it)|look$|check|fetch|query';
const adverbs =
  '(?:(?:now|first|then|also|next|just|quickly|still|try to|go ahead and|start by|begin by|help you)\\s+){0,2}';
/** Words in the names of tools that introduce content, ask or wait if the model says them. */
const otherWords =
  /^(?:show|present|explain|describe|demonstrate|illustrate|quote|cite|print|display|give|tell|say|answer|reply|respond|ask|wait|hold|pause|stop|think|mention|propose|suggest|recommend|note|write|draft|paste|copy|repeat)$/;

/** Matches how a sentence in English begins to announce a call of one of these tools. */
function englishFor(names: readonly string[]): RegExp {
  const words = names
    .flatMap(wordsInName)
    .filter((word) => /^[a-z]{3,}$/.test(word) && !otherWords.test(word));
  const verbs = [action, ...words].join('|');
  return new RegExp(
    `(?<=^|[,;–—]\\s*|\\b(?:so|and|but|then)\\s+|^to\\s[^,]{1,80}\\s)(?:(?:${assent})[,!]?\\s+){0,3}(?:(?:let me|let's|i'll|i will|allow me to|i'm going to|i am going to|i'd like to|i'll (?:need|have) to|(?:i|we) (?:need|want|have) to|(?:i|we) (?:should|must)|we'll|we will|(?<=but )i can)\\s+${adverbs}(?:${verbs})\\b|i\\s+${adverbs}(?:${presentAction})\\b|(?:i'm|i am)\\s+${adverbs}(?:searching|looking|checking|fetching|querying)\\b|(?<=^to .*)i need (?:the|more|some)\\s)`,
    'i',
  );
}

/** Sentences about a case that need not be this one, or that waits for an answer. */
const hypothetical =
  /\b(?:if|when|whenever|unless|would|could|might|usually|typically|always|often|(?:once|after|as soon as|until|till|provided|assuming) (?:that )?(?:you|your|the user|(?:i|we) (?:have|get|hear|receive))|(?:it|this|that|these|them) (?:by|past) (?:you|your|my|the user)|(?:with|on|upon|at|after|before) your (?:word|command|answer|reply|response|decision|okay|ok|yes)|go-ahead|green light|sign-off|signoff|blessing|(?:a|your) (?:go ahead|yes)|(?:get|need|see|await|awaiting|(?:ask|wait) for) (?:[\w']+ ){0,3}confirmation|(?:ask|asks|asked|want|wants|wanted|tell|tells|told) me to|(?:send|read|write) you)\b|\bdemonstrat/i;
/** Words by which a sentence takes back what it says. */
const doubts =
  /\b(?:not|never|no|nothing|none|nowhere|avoid|caution|rather|aside|fake|safe|allowed|another way|(?:find|see|add) that|check that (?:it|you|the|this)|call out|calling out|whether (?:you|i|it is|this is)|your (?:ok|okay|confirmation)|neither|nor|until|later|without|but|however|instead|permission|consent|aloud|out loud|to you|with you|(?:ask|confirm|check|verify) (?:you|the user))\b|\b(?:forbid|prohibit|approv|before (?:i |we )?(?:run|execut|call|do|mak|send))|n't\b/i;
/** Words by which a sentence introduces what is quoted or shown. */
const shows =
  /\b(?:for instance|such as|like (?:this|so)|as follows|syntax|format|template|markup|tag|tags|look like|looks like|instead of|e\.g|eg|verbatim|i made|below|this is|here is|here's|here are|these are|how \w+ (?:call|calls|write|writes)|write (?:\w+ )?(?:down|out)|the following$|earlier|previously|says|said|wrote|written|reads as|contained|contains|(?:this|that|these|the) (?:\w+ ){0,2}(?:call|calls)|the following (?:text|markup|call|instruction|is))\b|\b(?:example|quot)|[<>]/i;
/** Words against running what follows. */
const refuses =
  /\b(?:do not|don't|never|must not|mustn't|should not|shouldn't|not to|will not|won't|would not|cannot|can't)\b(?:(?!\b(?:but|so)\b)[^.!?。]){0,40}?\b(?:run|execute|call|follow|use|invoke|write|send|obey|comply|act|do|output|print|make|trust)\b|\b(?:refus|declin|ignor|disregard|inject|malicious|attack|suspicious|phishing)/i;

/** How other languages announce an action: in the first person, with a verb of what tools do. */
const others: readonly RegExp[] = [
  // Chinese
  /(?:^|[，,])(?:好的?|现在|首先|接下来|然后)*(?:让我们?|我们?来|我先|我将|我会|我需要|我要|我应该)(?:先|再|去|来|[为帮替给][您你]|通过|一下){0,3}(?:[查搜找读试]|看看|看一下|检[索查测]|用.{1,20}(?:工具|命令|函数)|调用|使用|获取|运行|执行|打开|列出|分析|创建|修改|更新|尝试|了解|确认|浏览)(?![^]*(?:例|示|拒绝|忽略|以下|如下))/,
  // German
  /(?:^|, |\b(?:und|also|daher|dann) )(?:(?:ok|okay|gut|gerne|klar|nun|jetzt|zuerst|zunächst|dann|als nächstes) ){0,2}(?:ich (?:suche|schaue|prüfe|überprüfe|frage|hole|öffne|starte|lade|ermittle)|(?:suche|schaue|prüfe|überprüfe|frage|hole|öffne|starte|lade|ermittle|rufe) ich|(?:(?:ich (?:werde|muss)|werde ich|muss ich|(?:lass|lassen sie) (?:uns|mich)) (?:.* )?(?:nach)?(?:suchen|schauen|sehen|prüfen|überprüfen|abfragen|holen|öffnen|lesen|aufrufen|ausführen|verwenden|nutzen)$))(?!\p{L})/iu,
  // French
  /(?:^|[,;] )(?:(?:maintenant|d'abord|ensuite|bien sûr|d'accord) )?(?:je (?:vais|dois)|laisse-moi|laissez-moi)(?: (?:maintenant|d'abord|le|la|les|vous|en))? (?:re)?(?:chercher|vérifier|consulter|regarder|lire|appeler|utiliser|obtenir|récupérer|lancer|ouvrir|examiner|analyser)(?!\p{L})/iu,
  // Spanish, Portuguese, Italian
  /(?:^|[,;] )(?:(?:ahora|primero|claro|agora|primeiro|ora|adesso|prima) )?(?:voy a|vamos a|déjame|permíteme|necesito|debo|vou|deixe-me|preciso|devo|vado a|lasciami|fammi) (?:buscar|verificar|consultar|revisar|leer|usar|utilizar|obtener|llamar|abrir|comprobar|mirar|pesquisar|procurar|ler|obter|chamar|cercare|controllare|verificare|consultare|leggere|usare|chiamare|aprire)(?!\p{L})/iu,
  // Russian
  /(?:^|, )(?:(?:хорошо|сейчас|теперь|сначала|давайте|я) )*(?:поищу|найду|проверю|посмотрю|прочитаю|открою|узнаю|вызову|использую|получу|запущу)(?!\p{L})/iu,
  // Japanese, Korean, Hindi
  /(?:(?:検索|確認|調査|取得|実行)し|調べ)(?:ます|てみます|ましょう)$/,
  /(?:(?:검색|확인|조회)(?:하겠습니다|할게요)|(?:(?:검색|확인|조회)해|찾아|알아) ?(?:보겠습니다|볼게요))$/,
  /^मैं (?:.{1,80} )?(?:खोज|देख|जाँच|पढ़)(?:ता|ती|ूँगा|ूँगी)(?: हूँ)?$/u,
];
/** Words that deny, conditions, and words for consent, in the languages above. */
const negation =
  /(?<![\p{L}\p{M}])(?:nicht|nie|niemals|kein\p{L}*|ohne|ne|jamais|sans|nunca|jamás|não|non|no|sin|sem|senza|mai|не|нет|нельзя|никогда|без|मत|नहीं|न)(?![\p{L}\p{M}])|[不勿莫没沒未]|(?<![特分区级识类差])[别別]|禁止|ません|않|금지|지 ?[마말못]|(?:^|, )(?:wenn|falls|sofern|si|se|quand|lorsque|cuando|quando|если|когда)\s|(?<!\p{L})(?:n'|sobald|nachdem|dès que|une fois|en cuanto|una vez|assim que|uma vez|una volta|как только|zustimm|einverstanden|erlaubnis|freigabe|genehmig|bestätig|votre accord|permission|autori|confirm|conferm|permis|permiso|permess|aproba|aprova|approva|подтвер|разреш|соглас|одобр)|如果|若|一旦|只要|[等待][您你]|同意|批准|允许|许可|[您你]确认|許可|承認|ば|たら|次第|場合|동의|승인|허락|허가|अगर|यदि|अनुमति/iu;
