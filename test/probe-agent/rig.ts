import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { test as plain } from 'vitest'
import { readConfig } from '#probe-agent/config.ts'
import { type AgentParts, type RunningAgent, startAgent } from '#probe-agent/main.ts'
import { FakeControlPlane } from './fake-control-plane.ts'
import { Target } from './target.ts'

const silent = pino({ level: 'silent' })

/** One control plane, one target and as many agents as wanted, all taken down at the end. */
export class Rig {
  readonly plane: FakeControlPlane
  readonly target: Target
  readonly dir: string
  readonly #agents = new Set<RunningAgent>()
  readonly #processes = new Set<ChildProcess>()
  readonly #planes = new Set<FakeControlPlane>()
  #disk: string | undefined

  private constructor(plane: FakeControlPlane, target: Target, dir: string) {
    this.plane = plane
    this.target = target
    this.dir = dir
  }

  static async open(): Promise<Rig> {
    const [plane, target, dir] = await Promise.all([
      FakeControlPlane.open(),
      Target.open(),
      mkdtemp(join(tmpdir(), 'vedette-agent-')),
    ])
    return new Rig(plane, target, dir)
  }

  env(changes: Record<string, string> = {}): Record<string, string> {
    return {
      VEDETTE_URL: this.plane.url,
      REGION: 'eu-west',
      ENROLMENT_TOKEN: this.plane.enrolmentToken,
      DATA_DIR: join(this.dir, 'agent'),
      EGRESS_ALLOW: '127.0.0.0/8',
      LAG_LIMIT_MS: '20000',
      LOG_LEVEL: 'silent',
      ...changes,
    }
  }

  /** Another process of the control plane, which owns these shards. */
  async owner(shards: readonly number[]): Promise<FakeControlPlane> {
    const plane = await FakeControlPlane.beside(this.plane, shards)
    this.#planes.add(plane)
    return plane
  }

  /** An agent in this process. */
  async agent(changes: Record<string, string> = {}, parts: AgentParts = {}): Promise<RunningAgent> {
    const agent = await startAgent(readConfig(this.env(changes)), { log: silent, ...parts })
    this.#agents.add(agent)
    return agent
  }

  async stop(agent: RunningAgent) {
    this.#agents.delete(agent)
    await agent.stop()
  }

  /** An agent in a process of its own, which can be killed, stopped, kept from the CPU and given a wrong time. */
  process(changes: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [new URL('agent-process.ts', import.meta.url).pathname], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...this.env(changes) },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    this.#processes.add(child)
    child.once('exit', () => this.#processes.delete(child))
    return child
  }

  async end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
    if (child.exitCode !== null || child.signalCode !== null) return
    const over = once(child, 'exit')
    child.kill(signal)
    await over
  }

  /** Gives the agents' spool a disk of its own, of this size. */
  async limitDisk(size: string) {
    const disk = join(this.dir, 'agent', 'spool')
    await mkdir(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
    this.#disk = disk
  }

  async close() {
    for (const child of this.#processes) {
      child.kill('SIGCONT')
      await this.end(child, 'SIGKILL')
    }
    for (const agent of this.#agents) await agent.stop()
    for (const plane of [this.plane, ...this.#planes]) await plane.close()
    await this.target.close()
    if (this.#disk) execFileSync('umount', ['-l', this.#disk])
    await rm(this.dir, { recursive: true, force: true })
  }
}

/** A test with a rig of its own, so that tests may wait side by side. */
export const test = plain.extend('rig', async ({ task: _ }, { onCleanup }) => {
  const rig = await Rig.open()
  onCleanup(() => rig.close())
  return rig
})

export async function until(condition: () => boolean, ms = 10_000, what = 'what was expected') {
  for (const end = performance.now() + ms; !condition(); await sleep(10))
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}.`)
}
