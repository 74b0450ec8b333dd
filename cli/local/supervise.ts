import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes, StartFault } from '#cli/fault.ts'
import { type Identity, identify, isAlive } from './identity.ts'
import { lastLines, openLog, trimLog } from './logs.ts'
import { until } from './loopback.ts'
import type { OwnPorts } from './own-ports.ts'
import type { Show } from './show.ts'

/** A supervised process: how it is started, when it is ready, how it is stopped. */
export interface Part {
  name: string
  title: string
  command: string
  args: string[]
  env: Record<string, string | undefined>
  cwd?: string
  uid?: number
  gid?: number
  stopSignal: NodeJS.Signals
  /** Parts of a lower stage are stopped before those of a higher one. */
  stage: number
  /** Whether it runs with low priority once it is ready. */
  yields?: boolean
  /** The time limit of a stop before it is forced. */
  stopMs: number
  /** How often it may end before it is ready, until its start has failed: 3 by default. */
  tries?: number
  isReady(): Promise<boolean>
}

interface Running {
  part: Part
  child: ChildProcess
  log: string
  startedAt: number
  crashes: number
  exited: Promise<string>
  hasExited: boolean
}

const backoffMs = (crashes: number) => Math.min(30_000, 500 * 2 ** Math.min(crashes, 6))
const calmMs = 60_000
const defaultTries = 3
/** A machine may be slow: how long a part has not answered is said, the first time after this and then as often. */
export const sayWaitingMs = 15_000
/** A stop must end in ten seconds; the rest is for the last kill and our own end. */
const stopWithinMs = 9_000

/**
 * Starts the parts, restarts a part that crashed, and stops all of them in order.
 * A small watcher process stops them when the supervisor itself is killed.
 */
export class Supervisor {
  readonly #dataDir: string
  readonly #show: Show
  readonly #ownPorts: OwnPorts | undefined
  readonly #running = new Map<string, Running>()
  /** Every part that was started, also one that has failed. */
  readonly #parts = new Map<string, Part>()
  /** Parts whose record could not be written yet. */
  readonly #unrecorded = new Set<string>()
  readonly #stop = new AbortController()
  readonly #watcher: ChildProcess
  readonly #trimmer: NodeJS.Timeout

  constructor({ dataDir, show, ownPorts }: { dataDir: string; show: Show; ownPorts?: OwnPorts }) {
    this.#dataDir = dataDir
    this.#show = show
    this.#ownPorts = ownPorts
    mkdirSync(this.#recordDir, { recursive: true, mode: 0o700 })
    this.#watcher = spawn('/bin/sh', [join(import.meta.dirname, 'watch.sh')], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    })
    this.#watcher.on('error', () => {})
    this.#watcher.stdin?.on('error', () => {})
    this.#trimmer = setInterval(() => this.#tidy(), 10_000)
    this.#trimmer.unref()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /**
   * Starts a part and waits until it answers, however long that takes on a slow machine; one that ends meanwhile is
   * started again. Rejects where it refuses its configuration or has ended too often, with its last log lines.
   */
  async start(part: Part): Promise<void> {
    this.#parts.set(part.name, part)
    for (let crashes = 0; ; ) {
      // a stop ends only running parts, so a start after it must be refused
      if (this.signal.aborted) throw interrupted(part)
      const running = this.#launch(part, crashes)
      const isReady = await this.#awaitReady(running)
      if (this.signal.aborted || this.#running.get(part.name) !== running) throw interrupted(part)
      if (isReady) return void this.#keep(running)
      crashes++
      const ending = await running.exited
      const isRefusal = ending === `ended with code ${exitCodes.config}`
      if (isRefusal || crashes >= (part.tries ?? defaultTries)) {
        await this.stopPart(part.name)
        const words = lastLines(running.log, 4)
        throw new StartFault(
          isRefusal ? 'config' : 'dependency',
          `${part.title} ${ending}`,
          words.length > 0 ? `Its last words: ${words.join(' | ')}` : 'It said nothing.',
          `less ${running.log}`,
        )
      }
      await this.#pause(running, ending, crashes)
    }
  }

  /** Waits until the part answers or ends; whether it answers. Says meanwhile for how long it has not. */
  async #awaitReady(running: Running): Promise<boolean> {
    const { part, log, startedAt } = running
    const say = () =>
      this.#show.waiting({
        part: part.name,
        title: part.title,
        seconds: secondsSince(startedAt),
        why: lastLines(log, 1)[0]?.slice(0, 200) ?? '',
        log,
      })
    const saying = setInterval(say, sayWaitingMs)
    const noting = setInterval(() => this.#ownPorts?.note(), 500)
    const isReady = await until(async () => running.hasExited || (await part.isReady()), { signal: this.signal })
    clearInterval(saying)
    clearInterval(noting)
    if (!isReady || running.hasExited) return false
    this.#ownPorts?.note()
    giveWay(running)
    return true
  }

  /** Stops one part for good, when its stage is repeated. */
  async stopPart(name: string): Promise<void> {
    const running = this.#running.get(name)
    this.#running.delete(name)
    if (running) await this.#end(running)
  }

  /**
   * ends a part at once and starts it again: for changes of its sources. Rejects as `start` does, without a second try.
   */
  async restart(name: string): Promise<void> {
    const part = this.#parts.get(name)
    if (!part) return
    const began = performance.now()
    const running = this.#running.get(name)
    this.#running.delete(name)
    if (running) await this.#end(running, 100)
    await this.start({ ...part, tries: 1 })
    this.#show.ready({
      part: name,
      title: part.title,
      how: 'again',
      seconds: secondsSince(began),
      pid: this.pidOf(name),
    })
  }

  /** Names of the parts that were started. */
  names(): string[] {
    return [...this.#parts.keys()]
  }

  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.child.pid
  }

  /** Stops all parts stage by stage, in ten seconds at most, by force at the end. */
  async stop(): Promise<void> {
    if (this.signal.aborted) return
    this.#stop.abort()
    clearInterval(this.#trimmer)
    const deadline = performance.now() + stopWithinMs
    const stages = Map.groupBy(this.#running.values(), ({ part }) => part.stage)
    for (const stage of [...stages.keys()].sort((a, b) => a - b))
      await Promise.all(
        (stages.get(stage) ?? []).map(running => this.#end(running, Math.max(200, deadline - performance.now()))),
      )
    this.#running.clear()
    this.#watcher.stdin?.end('.\n')
  }

  get #recordDir() {
    return join(this.#dataDir, 'run')
  }

  #launch(part: Part, crashes: number): Running {
    const log = join(this.#dataDir, 'logs', `${part.name}.log`)
    const out = openLogIfPossible(log)
    const child = spawn(part.command, part.args, {
      env: part.env as NodeJS.ProcessEnv,
      stdio: ['ignore', out ?? 'ignore', out ?? 'ignore'],
      detached: true, // its own session: Ctrl-C reaches us alone, and we stop the parts in order
      ...(part.cwd !== undefined && { cwd: part.cwd }),
      ...(part.uid !== undefined && { uid: part.uid }),
      ...(part.gid !== undefined && { gid: part.gid }),
    })
    if (out !== undefined) closeSync(out)
    const running: Running = {
      part,
      child,
      log,
      startedAt: performance.now(),
      crashes,
      hasExited: false,
      exited: new Promise(resolve => {
        child.once('error', error => resolve(`could not be started: ${error.message}`))
        child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`))
      }).then(ending => {
        running.hasExited = true
        if (child.pid) this.#tellWatcher(`- ${child.pid}`)
        return ending as string
      }),
    }
    if (child.pid) {
      this.#tellWatcher(`+ ${child.pid} ${part.stopSignal.replace('SIG', '')} ${part.stage}`)
      this.#record(part, child.pid)
    }
    this.#running.set(part.name, running)
    return running
  }

  /** Waits for the end of a part, reports an unexpected one and restarts the part. */
  async #keep(running: Running): Promise<void> {
    const ending = await running.exited
    const { part } = running
    const isGone = () => this.signal.aborted || this.#running.get(part.name) !== running
    if (isGone()) return
    const crashes = performance.now() - running.startedAt > calmMs ? 0 : running.crashes + 1
    await this.#pause(running, ending, crashes)
    if (isGone()) return
    const again = this.#launch(part, crashes)
    void this.#keep(again)
    if (!(await this.#awaitReady(again))) return
    const seconds = secondsSince(again.startedAt)
    this.#show.ready({ part: part.name, title: part.title, how: 'again', seconds, pid: again.child.pid })
  }

  /** Says that a part has ended, and waits until it is started again. */
  async #pause({ part, log }: Running, ending: string, crashes: number): Promise<void> {
    const retryMs = crashes <= 1 ? 200 : backoffMs(crashes)
    // after a kill from outside its last log lines do not explain the end
    const [word] = /SIG(KILL|TERM|INT)$/.test(ending) ? [] : lastLines(log, 1)
    this.#show.crashed({
      part: part.name,
      title: part.title,
      why: word ? `${ending} (${word.slice(0, 200)})` : ending,
      retryMs,
      log,
    })
    await sleep(retryMs, undefined, { signal: this.signal }).catch(() => {})
  }

  async #end(running: Running, withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { child, part, exited } = running
    if (!running.hasExited) {
      child.kill(part.stopSignal)
      const forced = setTimeout(() => child.kill('SIGKILL'), Math.min(part.stopMs, withinMs))
      await exited
      clearTimeout(forced)
    }
    rmSync(join(this.#recordDir, `${part.name}.json`), { force: true })
  }

  /** Writes the record of a part atomically. On a full disk it is written later. */
  #record(part: Part, pid: number) {
    const draft = join(this.#dataDir, `${part.name}.draft`)
    try {
      writeFileSync(draft, JSON.stringify({ ...identify(pid), stopSignal: part.stopSignal }), { mode: 0o600 })
      renameSync(draft, join(this.#recordDir, `${part.name}.json`))
      this.#unrecorded.delete(part.name)
    } catch {
      this.#unrecorded.add(part.name)
    }
  }

  #tellWatcher(line: string) {
    this.#watcher.stdin?.write(`${line}\n`)
  }

  /** Writes the records that a full disk prevented. */
  #tidy() {
    this.#ownPorts?.note()
    for (const { part, child, log, hasExited } of this.#running.values()) {
      if (this.#unrecorded.has(part.name) && child.pid && !hasExited) this.#record(part, child.pid)
      try {
        trimLog(log)
      } catch {
        // the next time, then
      }
    }
  }
}

const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10

const interrupted = (part: Part) =>
  new StartFault('failed', `${part.title} was stopped while it started`, 'The start was interrupted.')

function openLogIfPossible(path: string): number | undefined {
  try {
    return openLog(path)
  } catch {
    return // a part without a log is better than none
  }
}

/** A tenth of the processor time of other processes. */
const yieldingNice = 10

/** Lowers the priority of the part's session, because Linux shares processors among sessions first. */
function giveWay({ part, child }: Running): void {
  if (!part.yields || !child.pid) return
  try {
    setPriority(child.pid, yieldingNice)
    writeFileSync(`/proc/${child.pid}/autogroup`, String(yieldingNice))
  } catch {
    // not supported by this system, and not required
  }
}

/** Stops parts of a supervisor that was killed with its watcher, before the data is used again. */
export async function stopLeftovers(dataDir: string, withinMs = 10_000): Promise<string[]> {
  const folder = join(dataDir, 'run')
  const records = readRecords(folder).filter(record => isAlive(record))
  for (const { pid, stopSignal } of records) sendSignal(pid, stopSignal)
  await until(async () => !records.some(isAlive), { withinMs, everyMs: 100 })
  for (const record of records) if (isAlive(record)) sendSignal(record.pid, 'SIGKILL')
  await until(async () => !records.some(isAlive), { withinMs: 2_000, everyMs: 50 })
  rmSync(folder, { recursive: true, force: true })
  return records.map(({ name }) => name)
}

interface PartRecord extends Identity {
  name: string
  stopSignal: NodeJS.Signals
}

function readRecords(folder: string): PartRecord[] {
  try {
    return readdirSync(folder).flatMap(file => {
      try {
        return [{ name: file.replace('.json', ''), ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }]
      } catch {
        return [] // half written when the power went: that process is gone as well
      }
    })
  } catch {
    return []
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals) {
  if (pid <= 1) return
  try {
    process.kill(pid, constants.signals[signal])
  } catch {
    // it ended in between, which is what we wanted
  }
}
