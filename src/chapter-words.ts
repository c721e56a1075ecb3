/** What a heading heads, in the languages that `chapterParagraphs` reads. */
export type HeadingKind = "volume" | "part" | "book" | "act" | "chapter" | "scene";

function words(list: string): string[] {
  return list.split(" ");
}

/** Words that stand before a number, or behind an ordinal: `Chapter 3`, `Erstes Kapitel`. */
const NUMBERED: Record<HeadingKind, string[]> = {
  volume: words("volume vol band tome tomo volumen tom bind cilt том الجزء quyển tập jilid"),
  book: words("book buch livre libro livro boek bok boken книга księga kniha knjiga kitap"),
  part: words(
    "part teil partie parte deel del delen dio część část časť часть частина част kısım bagian phần " +
      "القسم भाग खंड खण्ड",
  ),
  act: words("act akt akten aufzug acte acto atto ato действие дія"),
  chapter: words(
    "chapter chap ch kapitel kapitlet kap chapitre capítulo capitulo cap capitolo capitolul capítol " +
      "hoofdstuk kapittel глава главата розділ rozdział bölüm kapitola poglavlje поглавље κεφάλαιο " +
      "κεφαλαιο fejezet luku chương hồi bab kabanata الفصل अध्याय item letter canto stave appendix",
  ),
  scene: words("scene szene scenen auftritt scène escena scena cena сцена явление المشهد दृश्य"),
};

/** Of them, the short forms, behind which a full stop stands: `Chap. 3`. */
const SHORT = new Set(words("chap ch kap cap"));

/** And those that are no heading before a title that no mark sets off: `Item 2 Apples`. */
const NEEDING_MARK = new Set(words("item letter cap"));

/** Words that are a heading alone. */
const ALONE = words(
  "prologue epilogue preface foreword afterword introduction conclusion interlude postscript " +
    "appendix acknowledgements acknowledgments prolog epilog vorwort nachwort einleitung épilogue " +
    "préface avant-propos postface prólogo epílogo prefacio introducción prefácio introdução " +
    "prologo epilogo prefazione introduzione voorwoord nawoord inleiding пролог эпилог " +
    "предисловие введение послесловие заключение مقدمة خاتمة प्रस्तावना भूमिका उपसंहार บทนำ คำนำ " +
    "บทส่งท้าย 序 序章 序言 前言 引子 楔子 終章 终章 尾声 尾聲 后记 後記 跋 はじめに まえがき あとがき おわりに " +
    "プロローグ エピローグ 프롤로그 에필로그 머리말 서문",
);

/** Characters that stand behind a number: `第三章`, `제3장`. */
const COUNTED: Record<HeadingKind, string> = {
  volume: "卷巻冊册권",
  book: "",
  part: "部編编篇부편",
  act: "幕막",
  chapter: "章回話话장화",
  scene: "場场折節节절",
};

/** Words that stand right before a number in Thai. */
const THAI: [string, HeadingKind][] = [
  ["เล่มที่", "volume"],
  ["ภาคที่", "part"],
  ["ภาค", "part"],
  ["บทที่", "chapter"],
  ["ตอนที่", "chapter"],
];

const CARDINALS = words(
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety",
);

const ORDINALS = words(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth " +
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth " +
    "fiftieth last final الأول الأولى الثاني الثانية الثالث الثالثة الرابع الرابعة الخامس السادس " +
    "السابع الثامن التاسع العاشر",
);

/** Beginnings of ordinals in languages that inflect them, the first ten. */
const ORDINAL_STEMS = words(
  "erst zweit dritt viert fünft sechst siebt siebent acht neunt zehnt premi deuxi second trois " +
    "quatri cinqui sixi septi huiti neuvi dixi primer segund tercer cuart quint sext séptim octav " +
    "noven décim prim terz quart sest settim ottav decim primeir terceir sétim oitav eerst tweed " +
    "derd vierd vijfd zesd zevend achtst negend tiend перв втор трет четв пят шест седьм восьм " +
    "девят десят перш друг треті четверт п'ят сьом дев'ят pierwsz drug trzec czwart piąt szóst siódm " +
    "ósm dziewiąt dziesiąt först andr tredj fjärd femt sjätt sjund åttond niond tiond anden fjerd " +
    "sjett syvend sjuend ottend åttend niend tiend",
);

/** Ends of ordinals from the eleventh on: `zwölftes`, `onzième`, `undicesimo`, `двенадцатая`. */
const ORDINAL_ENDING =
  /(?:(?:zehnt|zigst|elft|zwölft)e[rsnm]?|ième|[cdnt]esim[oa]|(?:tiend|elfd|twaalfd|tigst)e|дцат(?:ый|ая|ое|ий)|десят(?:ый|ая|ое|ий)|na(?:st|ść)[yae]|dziest[yae]|t(?:on|tio)de)$/;

/** The longest inflection behind such a beginning. */
const LONGEST_ENDING = 4;

const numberedWords = new Map<string, HeadingKind>();
const countedCharacters = new Map<string, HeadingKind>();
for (const kind of Object.keys(NUMBERED) as HeadingKind[]) {
  for (const word of NUMBERED[kind]) numberedWords.set(word, kind);
  for (const character of COUNTED[kind]) countedCharacters.set(character, kind);
}
const aloneWords = new Set(ALONE);
const numberWords = new Set([...CARDINALS, ...ORDINALS]);
const ordinalWords = new Set(ORDINALS);

/** `chapter` → `"chapter"`. The word in any case. */
export function numberedKind(word: string): HeadingKind | undefined {
  return numberedWords.get(word.toLowerCase().normalize("NFC"));
}

/** Whether a word is the short form of one, and so is none without its full stop: `Chap.` */
export function isShort(word: string): boolean {
  return SHORT.has(word.toLowerCase());
}

/** Whether a title behind a word and its number needs a mark before it. */
export function needsMark(word: string): boolean {
  return NEEDING_MARK.has(word.toLowerCase());
}

/** `章` → `"chapter"`. */
export function countedKind(character: string): HeadingKind | undefined {
  return countedCharacters.get(character);
}

/** `บทที่ ๓` → `"chapter"`, and the length of its word. */
export function thaiKind(line: string): [HeadingKind, number] | undefined {
  const entry = THAI.find(([word]) => line.startsWith(word));
  return entry && [entry[1], entry[0].length];
}

export function standsAlone(word: string): boolean {
  return aloneWords.has(word.toLowerCase());
}

const ROMAN = /^M{0,3}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})$/;
const SMALL_ROMAN = /^[ivx]{1,6}$/;
const DIGITS = /^\p{Nd}{1,4}[A-Za-z]?$/u;

/** Whether a word is a number as headings have it: `12`, `1A`, `IX`, `Twenty-One`, `первая`. */
export function isNumber(word: string): boolean {
  if (word === "" || word.length > 20) return false;
  if (DIGITS.test(word) || ROMAN.test(word) || SMALL_ROMAN.test(word)) return true;
  const lower = word.toLowerCase();
  return lower.split("-").every((piece) => numberWords.has(piece)) || isInflected(lower);
}

/** Whether a word is a number of tens, before which others may stand: `twenty`, `двадцать`. */
export function isTens(word: string): boolean {
  return /^(?:\p{Script=Latin}{3,5}ty|двадцать|тридцать|сорок|пятьдесят)$/iu.test(word);
}

/** Whether a word can stand behind tens: `one`, `first`, `первая`; no digits. */
export function isUnits(word: string): boolean {
  const lower = word.toLowerCase();
  return CARDINALS.slice(0, 9).includes(lower) || (/^\p{L}+$/u.test(word) && isOrdinal(word));
}

/** Whether a word is an ordinal that can stand before its noun: `First`, `Zweiter`, `3rd`. */
export function isOrdinal(word: string): boolean {
  const lower = word.toLowerCase();
  const last = lower.slice(lower.lastIndexOf("-") + 1);
  return (
    ordinalWords.has(last) || isInflected(lower) || /^\d{1,3}(?:st|nd|rd|th|e|ª|º|ème)$/.test(lower)
  );
}

function isInflected(lower: string): boolean {
  return (
    ORDINAL_ENDING.test(lower) ||
    ORDINAL_STEMS.some(
      (stem) => lower.startsWith(stem) && lower.length - stem.length <= LONGEST_ENDING,
    )
  );
}
