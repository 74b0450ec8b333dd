// Plain JavaScript without a dependency: cli/vedette.js, which any Node from 20 on runs, uses it as well.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Bundles the program of a checkout into its folder, by the Node at this path. The folder appears as a whole, so a
 * build that is killed leaves nothing that could be run.
 */
export async function buildProgram(root, folder, node) {
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    await run(node, ['--disable-warning=ExperimentalWarning', join(root, 'cli', 'program', 'bundle.ts'), draft], root)
    // made by one user, it may be run by another
    chmodSync(draft, 0o755)
    // another start may have been first
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  removeUnused(folder)
}

/** Runs a program to its end. Rejects with a line of it where it fails; a signal to this process ends it as well. */
const run = (command, words, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.on('data', chunk => {
      output = (output + chunk).slice(-4_000)
    })
    let stopped
    const stop = signal => {
      stopped = signal
      child.kill(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      if (stopped) process.kill(process.pid, stopped)
      const why = output.split('\n').find(line => /error/i.test(line))
      if (code === 0) resolve()
      else reject(new Error(why?.trim() || `The bundling ended with ${signal ?? code}.`))
    })
  })

/** Deletes the bundles of other sources that no start has used for a week. Processes that run have loaded theirs. */
export function removeUnused(folder) {
  const weekMs = 7 * 86_400_000
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name)
    if (!/^program-[0-9a-f]{16}(-\w+)?$/.test(name) || name === basename(folder)) continue
    const used = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - used > weekMs) rmSync(path, { recursive: true, force: true })
  }
}
