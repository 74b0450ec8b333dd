import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import { endProcess } from './end-process.ts'

/**
 * The program of Gatus: `GATUS` names it, else it is `gatus` on the PATH. It is built by `go build` in a folder
 * of its repository, github.com/TwiN/gatus, or installed by `go install github.com/TwiN/gatus/v5@latest`. null: there
 * is none.
 */
export function findGatus(): string | null {
  const named = process.env.GATUS
  if (named) return named
  return spawnSync('sh', ['-c', 'command -v gatus'], { encoding: 'utf8' }).stdout.trim() || null
}

/** A real Gatus on a free port, its configuration in a folder of its own, its results in memory. */
export class Gatus {
  readonly url: string
  readonly #folder: string
  readonly #process: ChildProcess

  /** `authority`: the certificate, as PEM, that it trusts in place of those of the machine. */
  static async open(program: string, config: string, authority: string): Promise<Gatus> {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'vedette-gatus-'))
    writeFileSync(join(folder, 'config.yaml'), `${config}\nweb: {address: 127.0.0.1, port: ${port}}\n`)
    writeFileSync(join(folder, 'authority.pem'), authority)
    const env = {
      ...process.env,
      GATUS_CONFIG_PATH: join(folder, 'config.yaml'),
      SSL_CERT_FILE: join(folder, 'authority.pem'),
    }
    const child = spawn(program, [], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const gatus = new Gatus(`http://127.0.0.1:${port}`, folder, child)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said = (said + chunk).slice(-2_000)
      })
    child.once('error', error => {
      said = error.message
    })
    for (let tries = 0; !(await fetch(gatus.url).catch(() => undefined)); tries++) {
      if (tries > 100 || child.exitCode !== null) {
        await gatus.close()
        throw new Error(`Gatus does not answer: ${said}`)
      }
      await sleep(100)
    }
    return gatus
  }

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url
    this.#folder = folder
    this.#process = process
  }

  async close(): Promise<void> {
    await endProcess(this.#process)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
