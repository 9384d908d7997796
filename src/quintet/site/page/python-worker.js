// Python in a thread of its own: it loads Pyodide and our package, then answers one call after another.

/** The module of our package that answers. @type {any} */
let service = null;

/** @param {{ pyodide: string, archive: string }} files */
async function start({ pyodide, archive }) {
  const packed = fetch(archive).then((response) => response.arrayBuffer());
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: pyodide });
  python.unpackArchive(await packed, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  service = python.pyimport("quintet.site.service");
  service.start();
}

onmessage = async ({ data }) => {
  if (!service) {
    try {
      await start(data);
      postMessage({ isReady: true });
    } catch (error) {
      postMessage({ failure: String(error).split("\n")[0] });
    }
    return;
  }
  try {
    postMessage({ text: service[data.name](...data.values) });
  } catch (error) {
    const lines = String(error).trim().split("\n");
    postMessage({ error: lines[lines.length - 1] });
  }
};
