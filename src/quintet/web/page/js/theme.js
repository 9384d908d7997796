// Sets the theme and the language before anything is drawn: a classic script, because modules run later.
{
  const root = document.documentElement;
  /** A choice that was saved as plain text. @param {string} name */
  const saved = (name) => {
    try {
      return localStorage.getItem(`quintet.${name}`);
    } catch {
      return null; // Without storage the browser's own settings count.
    }
  };
  const theme = saved("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const wanted = [new URLSearchParams(location.search).get("language"), saved("language"), ...navigator.languages];
  const known = root.dataset.languages?.split(" ");
  root.lang = wanted.map((one) => one?.split("-")[0] ?? "").find((code) => known?.includes(code)) ?? root.lang;
}
