// Python in a thread of its own: it loads Pyodide and our package, then answers one call after another.

/** The module of our package that answers. @type {any} */
let service = null;

/** Where the memory of an interpreter that has just started is saved: from there another one starts much sooner. */
const SNAPSHOTS = "quintet python";

/**
 * An interpreter, started from a snapshot where there is one; the first one makes it.
 * @param {string} folder of Pyodide
 * @returns {Promise<any>}
 */
async function startInterpreter(folder) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const snapshots = await globalThis.caches?.open(SNAPSHOTS).catch(() => undefined); // Only where there is HTTPS.
  const url = `${folder}snapshot`;
  const saved = await snapshots?.match(url);
  try {
    if (saved) return await loadPyodide({ indexURL: folder, _loadSnapshot: new Uint8Array(await saved.arrayBuffer()) });
  } catch {
    await snapshots?.delete(url);
  }
  const python = await loadPyodide({ indexURL: folder, _makeSnapshot: Boolean(snapshots) });
  if (snapshots) saveSnapshot(snapshots, url, python.makeMemorySnapshot()).catch(() => undefined);
  return python;
}

/**
 * Save a snapshot instead of those of other versions.
 * @param {Cache} snapshots
 * @param {string} url
 * @param {Uint8Array<ArrayBuffer>} memory
 */
async function saveSnapshot(snapshots, url, memory) {
  const base = url.slice(0, url.indexOf("pyodide-"));
  const old = (await snapshots.keys()).filter((request) => request.url.startsWith(base));
  await Promise.all(old.map((request) => snapshots.delete(request)));
  await snapshots.put(url, new Response(memory));
}

/** @param {{ pyodide: string, archive: string, language: string }} settings */
async function start({ pyodide, archive, language }) {
  const packed = fetch(archive).then((response) => response.arrayBuffer());
  const python = await startInterpreter(pyodide);
  python.unpackArchive(await packed, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  service = python.pyimport("quintet.site.service");
  service.start(language);
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
