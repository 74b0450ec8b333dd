import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import { endProcess } from './end-process.ts'

/**
 * The folder with the sources of Healthchecks, which `HEALTHCHECKS` names: a clone of
 * github.com/healthchecks/healthchecks. `PYTHON` names the Python for it, by default `python3`; its README says which
 * versions it takes. Its dependencies are installed from PyPI into a folder of their own, once. null: none is named.
 */
export const findHealthchecks = (): string | null => process.env.HEALTHCHECKS || null

/** A flip of the past: the moment at which a check went to a status. */
export interface PlantedFlip {
  check: string
  at: string
  from: 'new' | 'up' | 'down' | 'paused'
  to: 'up' | 'down' | 'paused'
}

const setUp = `
import json
from django.contrib.auth.models import User
from hc.accounts.models import Profile, Project
user = User.objects.create(username="moving", email="moving@example.com")
Profile.objects.for_user(user)
project = Project.objects.create(owner=user, name="Moving", badge_key="moving")
key, read_only = project.set_api_key(), project.set_api_key_readonly()
ping_key = project.set_ping_key()
project.save()
print("keys " + json.dumps({"key": key, "readOnly": read_only, "pingKey": ping_key}))
`

const plant = `
import json, sys
from datetime import datetime
from hc.api.models import Check, Flip
for flip in json.loads(sys.stdin.read()):
    at = datetime.fromisoformat(flip["at"])
    owner = Check.objects.get(name=flip["check"])
    Flip.objects.create(owner=owner, created=at, processed=at, old_status=flip["from"], new_status=flip["to"])
`

/** A real Healthchecks with a project, on a free port, its data in SQLite in a folder of its own. */
export class Healthchecks {
  readonly url: string
  /** The read-write and the read-only key of the project, and its ping key. */
  keys = { key: '', readOnly: '', pingKey: '' }
  readonly #sources: string
  readonly #python: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'vedette-healthchecks-'))
  #process: ChildProcess | undefined

  static async open(sources: string): Promise<Healthchecks> {
    const healthchecks = new Healthchecks(resolve(sources), install(resolve(sources)), await freePort())
    try {
      healthchecks.#manage(['migrate'])
      const said = healthchecks.#manage(['shell', '-c', setUp])
      healthchecks.keys = JSON.parse(/^keys (.*)$/m.exec(said)?.[1] ?? '{}')
      await healthchecks.#start()
      return healthchecks
    } catch (error) {
      await healthchecks.close()
      throw error
    }
  }

  private constructor(sources: string, python: string, port: number) {
    this.#sources = sources
    this.#python = python
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
  }

  get #env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      DB_NAME: join(this.#folder, 'hc.sqlite'),
      SECRET_KEY: 'key-of-a-test',
      DEBUG: 'False',
      ALLOWED_HOSTS: '127.0.0.1',
      SITE_ROOT: this.url,
    }
  }

  #manage(words: string[], input = ''): string {
    const options = { cwd: this.#sources, env: this.#env, input, stdio: 'pipe', encoding: 'utf8' } as const
    return execFileSync(this.#python, ['manage.py', ...words], options)
  }

  async #start(): Promise<void> {
    const words = ['manage.py', 'runserver', `127.0.0.1:${this.#port}`, '--noreload']
    const child = spawn(this.#python, words, { cwd: this.#sources, env: this.#env, stdio: 'ignore' })
    this.#process = child
    for (let tries = 0; !(await fetch(`${this.url}/api/v3/status/`).catch(() => undefined)); tries++) {
      if (tries > 150 || child.exitCode !== null) throw new Error('Healthchecks does not answer.')
      await sleep(200)
    }
  }

  async #call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.url}/api/v3${path}`, {
      method,
      headers: { 'X-Api-Key': this.keys.key },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`Healthchecks refuses ${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }

  /** Creates a check as its API does. Returns its UUID. */
  async add(check: Record<string, unknown> & { name: string }): Promise<string> {
    return String((await this.#call('POST', '/checks/', check)).uuid)
  }

  async pause(uuid: string): Promise<void> {
    await this.#call('POST', `/checks/${uuid}/pause`, {})
  }

  /** Sends a ping to what follows `/ping/` of an address there. */
  async ping(path: string, body = ''): Promise<void> {
    const answer = await fetch(`${this.url}/ping/${path}`, { method: 'POST', body })
    if (!answer.ok) throw new Error(`Healthchecks refuses a ping with ${answer.status}`)
  }

  plant(flips: readonly PlantedFlip[]): void {
    this.#manage(['shell', '-c', plant], JSON.stringify(flips))
  }

  async close(): Promise<void> {
    await endProcess(this.#process)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Installs what it depends on. Returns the Python that knows it. */
function install(sources: string): string {
  const requirements = join(sources, 'requirements.txt')
  if (!existsSync(requirements)) throw new Error(`${sources} holds no sources of Healthchecks.`)
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const home = resolve('node_modules/.cache/vedette/peers', `healthchecks-${version}`)
  const python = join(home, 'bin/python')
  if (existsSync(join(home, 'ready'))) return python
  console.log('      what Healthchecks depends on is installed')
  rmSync(home, { recursive: true, force: true })
  execFileSync(process.env.PYTHON || 'python3', ['-m', 'venv', home], { stdio: 'pipe' })
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '-r', requirements], { stdio: 'pipe' })
  execFileSync('touch', [join(home, 'ready')])
  return python
}
