import type { CorpusInput } from "./input.js";

export const SCRIPTS: CorpusInput[] = [
  {
    name: "Chinese, one paragraph a line",
    text: "春天来了，河水涨了。\n磨坊主人一夜没睡。",
    units: ["春天来了，河水涨了。", "磨坊主人一夜没睡。"],
  },
  {
    name: "Chinese, a line that is too long is divided at sentences",
    text: "春天来了。河水涨了！磨坊主人一夜没睡。船在哪里？",
    count: "characters",
    chunkSize: 10,
    units: ["春天来了。", "河水涨了！", "磨坊主人一夜没睡。", "船在哪里？"],
  },
  {
    name: "Chinese chapters",
    rule: "chapters",
    text: "第一章 洪水\n\n春天来了，河水涨了。\n\n第二章\n\n磨坊主人一夜没睡。",
    units: ["第一章 洪水\n\n春天来了，河水涨了。", "第二章\n\n磨坊主人一夜没睡。"],
    sections: ["第一章 洪水", "第二章"],
  },
  {
    name: "Japanese",
    text: "雨は一晩中降り続いた。\n\n　川は庭の塀まで来ていた。「行こう」と彼は言った。",
    units: ["雨は一晩中降り続いた。", "川は庭の塀まで来ていた。「行こう」と彼は言った。"],
  },
  {
    name: "Japanese, sentences",
    text: "雨が降った。川が増えた。誰も眠らなかった。",
    count: "characters",
    chunkSize: 9,
    units: ["雨が降った。", "川が増えた。", "誰も眠らなかった。"],
  },
  {
    name: "Korean",
    text: "밤새 비가 내렸다. 강물이 불었다.\n\n아무도 자지 못했다.",
    units: ["밤새 비가 내렸다. 강물이 불었다.", "아무도 자지 못했다."],
  },
  {
    name: "Thai has neither spaces between words nor full stops",
    text: "ฝนตกทั้งคืน แม่น้ำสูงขึ้น",
    count: "characters",
    chunkSize: 14,
    units: ["ฝนตกทั้งคืน", "แม่น้ำสูงขึ้น"],
  },
  {
    name: "Arabic, from right to left, by sentences",
    text: "نزل المطر طوال الليل. هل نام أحد؟ لم ينم أحد.",
    chunkSize: 5,
    units: ["نزل المطر طوال الليل.", "هل نام أحد؟", "لم ينم أحد."],
  },
  {
    name: "Hindi, by sentences",
    text: "रात भर वर्षा हुई। नदी बढ़ गई। कोई नहीं सोया।",
    chunkSize: 5,
    units: ["रात भर वर्षा हुई।", "नदी बढ़ गई।", "कोई नहीं सोया।"],
  },
  {
    name: "Russian chapters",
    rule: "chapters",
    text: "ЧАСТЬ ПЕРВАЯ\n\nГлава 1\n\nВсю ночь шёл дождь.\n\nГлава 2\n\nНикто не спал.",
    units: ["ЧАСТЬ ПЕРВАЯ\n\nГлава 1\n\nВсю ночь шёл дождь.", "Глава 2\n\nНикто не спал."],
    sections: ["ЧАСТЬ ПЕРВАЯ > Глава 1", "ЧАСТЬ ПЕРВАЯ > Глава 2"],
  },
  {
    name: "combining marks stay with their letters",
    text: "e\u0301e\u0301e\u0301e\u0301",
    count: "characters",
    chunkSize: 4,
    units: ["e\u0301e\u0301", "e\u0301e\u0301"],
  },
  {
    name: "a sequence of emoji is not cut inside one",
    text: "👩‍🌾👩‍🌾👩‍🌾",
    count: "characters",
    chunkSize: 5,
    units: ["👩‍🌾", "👩‍🌾", "👩‍🌾"],
  },
  {
    name: "right-to-left marks and joiners are text",
    text: "\u200fשלום\u200e\n\nמים\u200d",
    units: ["\u200fשלום\u200e", "מים\u200d"],
  },
];
