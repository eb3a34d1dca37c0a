// Formulas, also after a page is changed without loading.
document$.subscribe(() => renderMathInElement(document.body, {
  delimiters: [{left: "\\(", right: "\\)", display: false}, {left: "\\[", right: "\\]", display: true}],
  throwOnError: true,
}));
