// Pages of the guide before the pages of modules and of source code.
var Scorer = {
  score: ([page, title, anchor, description, score]) => score - (/^(_generated\/api|_modules)\//.test(page) ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 5, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
