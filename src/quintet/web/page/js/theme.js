// Sets the saved theme before anything is drawn: a classic script, because modules run later.
try {
  const theme = localStorage.getItem("quintet.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is the system's.
}
