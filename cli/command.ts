import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bundleFolder } from './program/place.ts'

/** The file of the commands: of the bundle in a process that runs it, else the source. */
export const main = bundleFolder ? join(bundleFolder, 'main.mjs') : join(import.meta.dirname, 'main.ts')
export const nodeFlags = ['--disable-warning=ExperimentalWarning']

export interface Ending {
  code: number
  stdout: string
  stderr: string
}

/** Runs one of our commands in a process of its own and waits for its end. */
export const runCommand = (args: string[], env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<Ending> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [...nodeFlags, main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    const stop = () => child.kill('SIGTERM')
    signal?.addEventListener('abort', stop, { once: true })
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr = (stderr + chunk).slice(-8_000)))
    child.on('error', error => (stderr += error.message))
    child.on('close', code => {
      signal?.removeEventListener('abort', stop)
      resolve({ code: code ?? 1, stdout, stderr })
    })
  })
