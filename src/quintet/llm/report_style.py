"""The style sheet of the evaluation report."""

CSS = """
  :root { color-scheme: light dark; --page: #f4f1e9; --text: #2e2a21; --soft: #6d6654; --sheet: #fbfaf7;
          --edge: #e0dacb; --good: #2d7a3e; --bad: #b3361b; }
  @media (prefers-color-scheme: dark) {
    :root { --page: #131518; --text: #e4dfd2; --soft: #a39d8d; --sheet: #1b1d21; --edge: #33373e; --good: #7cc98c;
            --bad: #f0876b; } }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 76rem; padding: 2.5rem 1.25rem 4rem; background: var(--page); color: var(--text);
         font: 16px/1.55 ui-sans-serif, system-ui, sans-serif; }
  header { max-width: 46rem; } h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
  header p { color: var(--soft); margin: 0; } h2 { margin: 3rem 0 .25rem; font-size: 1.4rem; }
  h3 { margin: 2rem 0 .75rem; font-size: 1.1rem; } h4 { margin: 0; font-size: 1rem; }
  .wide, figure { overflow-x: auto; background: var(--sheet); border: 1px solid var(--edge); border-radius: 12px; }
  figure { margin: 1rem 0 0; padding: .5rem; } figure svg { display: block; margin: 0 auto; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
  th, td { padding: .5rem .7rem; text-align: right; white-space: nowrap; vertical-align: top; }
  thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--edge); cursor: help; }
  th:first-child { text-align: left; position: sticky; left: 0; background: var(--sheet); }
  tbody tr + tr > * { border-top: 1px solid var(--edge); } td small { display: block; color: var(--soft);
    font-size: .75rem; }
  .replay { margin: 1rem 0; padding: 1rem 1rem .5rem; background: var(--sheet); border: 1px solid var(--edge);
            border-radius: 12px; } .replay > p { margin: 0 0 .5rem; color: var(--soft); }
  .strip { display: flex; gap: .75rem; overflow-x: auto; scroll-snap-type: x proximity; list-style: none; margin: 0;
           padding: .25rem 0 .75rem; } .strip:focus-visible { outline: 3px solid var(--good); outline-offset: 4px; }
  .strip li { flex: 0 0 auto; scroll-snap-align: start; } .strip svg { width: 100%; height: auto; display: block; }
  .strip p { margin: .4rem 0 0; font-size: .82rem; line-height: 1.4; } .strip span { display: block; }
  .strip span.best, .strip span.good { color: var(--good); }
  .strip span.mistake, .strip span.blunder, .strip span.inaccuracy { color: var(--bad); }
  .strip li.blunder svg, .strip li.mistake svg { outline: 3px solid var(--bad); border-radius: 10px; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; max-width: 46rem; }
  dt { font-weight: 600; } dd { margin: 0; color: var(--soft); }
"""
