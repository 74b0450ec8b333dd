import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const root = join(import.meta.dirname, '..')
const entry = join(import.meta.dirname, 'index.ts')
const interceptors = join(import.meta.dirname, 'carry-trace.ts')

/**
 * The workflows bundled into one script, as Temporal runs them. Bundling computes for seconds, so a worker thread
 * does it, and the script is cached in `folder` until a source changes.
 */
export async function bundle(folder: string | undefined): Promise<string> {
  const kept = folder && join(folder, `workflows-${fingerprint()}.js`)
  if (kept) {
    try {
      return readFileSync(kept, 'utf8')
    } catch {
      // the first start since a change
    }
  }
  const code = await bundleAside()
  if (kept) keep(folder, kept, code)
  return code
}

function fingerprint(): string {
  const hash = createHash('sha256')
  hash.update(createRequire(import.meta.url)('@temporalio/worker/package.json').version)
  for (const file of globSync(
    [
      ...['index.ts', 'until-done.ts', 'carry-trace.ts', 'config.ts', '**/workflow.ts'].map(
        name => `workflows/${name}`,
      ),
      'contract/*.ts',
    ],
    { cwd: root },
  ).sort())
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

const bundleAside = () =>
  new Promise<string>((resolve, reject) => {
    const worker = new Worker(join(import.meta.dirname, 'bundle-thread.ts'), { workerData: { entry, interceptors } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', code => reject(new Error(`The workflows could not be bundled (${code}).`)))
  })

/** Writes the script atomically. A folder that is not writable only makes the next start slower. */
function keep(folder: string, path: string, code: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, code)
    renameSync(draft, path)
  } catch {
    // see above
  }
}
