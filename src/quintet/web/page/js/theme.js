// The theme that was chosen last, set before anything is drawn: a classic script, because modules run later.
try {
  const theme = localStorage.getItem("quintet.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
