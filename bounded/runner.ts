import { FairSlots } from '#contract/fair-queue.ts'
import { RunExceeded, RunnerBusy } from './errors.ts'
import { Host, type Reply } from './host.ts'
import type { Program, QueueName } from './program.ts'

interface QueueLimits {
  /** Processes, and thus runs side by side. One key has at most half of them, and the next key finds a free one. */
  hosts: number
  /** Runs that wait for a host, of all keys and of one. */
  waiting: number
  waitingOfKey: number
  /** The longest wait in milliseconds. */
  waitMs: number
  /** Heap of a host in megabytes. */
  heapMb: number
}

export const defaultLimits = {
  short: { hosts: 2, waiting: 200, waitingOfKey: 10, waitMs: 10_000, heapMb: 64 },
  long: { hosts: 2, waiting: 40, waitingOfKey: 10, waitMs: 60_000, heapMb: 256 },
  slow: { hosts: 4, waiting: 40, waitingOfKey: 4, waitMs: 600_000, heapMb: 256 },
  /** A host without a run ends after this time: it keeps some seventy megabytes. */
  idleMs: 60_000,
  /** Seconds that the runs of one key may take in a minute, besides those of patient callers. */
  secondsAMinute: 20,
} satisfies Record<QueueName, QueueLimits> & { idleMs: number; secondsAMinute: number }

export type Outcome = 'done' | 'failed' | 'time' | 'memory' | 'busy'

interface Options {
  limits?: {
    short?: Partial<QueueLimits>
    long?: Partial<QueueLimits>
    slow?: Partial<QueueLimits>
    idleMs?: number
    secondsAMinute?: number
  }
  /** Called after each run, and for each that was refused: seconds of processor time. */
  onRun?(program: string, outcome: Outcome, seconds: number): void
}

interface Asked {
  /** The caller waits as long as it takes, as one that has a queue of its own: it is never refused. */
  isPatient?: boolean
  /** Answers what the program asks. */
  reply?: Reply
}

/**
 * The one place where what others wrote is parsed and run, if that cannot be bounded to some milliseconds otherwise.
 * A run has a process, whose memory and time are bounded, for itself; a process that exceeds them is ended and
 * replaced. Processes and not threads: a thread whose memory ends within one allocation takes the whole process along.
 *
 * Keys, which are tenants, take turns. Whatever one request needs is one run: so its bounds are those of the request.
 */
export class BoundedRunner {
  readonly #queues: Record<QueueName, RunQueue>
  readonly #spent: Spent
  readonly #onRun: NonNullable<Options['onRun']>

  constructor({ limits = {}, onRun = () => undefined }: Options = {}) {
    const { short, long, slow, idleMs, secondsAMinute } = { ...defaultLimits, ...limits }
    this.#queues = {
      short: new RunQueue({ ...defaultLimits.short, ...short }, idleMs),
      long: new RunQueue({ ...defaultLimits.long, ...long }, idleMs),
      slow: new RunQueue({ ...defaultLimits.slow, ...slow }, idleMs),
    }
    this.#spent = new Spent(secondsAMinute)
    this.#onRun = onRun
  }

  /** Throws a `ProgramError`, a `RunExceeded` or a `RunnerBusy`. */
  run<Input, Output>(program: Program<Input, Output>, input: Input, key: string, asked: Asked = {}): Promise<Output> {
    return this.#counted(program, key, asked, host => host.run(program, input, asked.reply))
  }

  /** The items of a list, as they are asked for. Throws as `run`. */
  async *list<Input, Item>(
    program: Program<Input, Item>,
    input: Input,
    key: string,
    asked: Asked = {},
  ): AsyncGenerator<Item> {
    const { promise: isRead, resolve: end } = Promise.withResolvers<void>()
    const { promise: started, resolve: start, reject: fail } = Promise.withResolvers<AsyncGenerator<Item>>()
    const counted = this.#counted(program, key, asked, async host => {
      start(host.list(program, input, asked.reply))
      await isRead
    }).catch(fail)
    try {
      yield* await started
    } finally {
      end()
      await counted
    }
  }

  /** Runs that wait for a host. */
  waiting(queue: QueueName): number {
    return this.#queues[queue].waiting
  }

  /** Refuses further runs, and ends all processes; runs under way have so long. */
  async close(graceMs = 2_000): Promise<void> {
    await Promise.all(Object.values(this.#queues).map(queue => queue.close(graceMs)))
  }

  async #counted<Value>(
    { name, queue }: Pick<Program<never, never>, 'name' | 'queue'>,
    key: string,
    asked: Asked,
    work: (host: Host) => Promise<Value>,
  ): Promise<Value> {
    let [outcome, seconds]: [Outcome, () => number] = ['failed', () => 0]
    try {
      if (!asked.isPatient) this.#spent.refuse(key)
      const value = await this.#queues[queue].run(key, asked, host => {
        seconds = stopwatch(host)
        return work(host)
      })
      outcome = 'done'
      return value
    } catch (error) {
      if (error instanceof RunExceeded) outcome = error.bound
      else if (error instanceof RunnerBusy) outcome = 'busy'
      throw error
    } finally {
      const took = seconds()
      if (!asked.isPatient) this.#spent.add(key, took)
      this.#onRun(name, outcome, took)
    }
  }
}

/** Seconds of processor time that a host uses from now on; of time where the system does not count them. */
function stopwatch(host: Host): () => number {
  const [at, cpuMs] = [performance.now(), host.cpuMs]
  return () => ((host.cpuMs ?? performance.now() - at) - (cpuMs ?? 0)) / 1_000
}

/** Seconds that the runs of each key took, which are forgotten in the course of a minute. */
class Spent {
  readonly #most: number
  readonly #byKey = new Map<string, { seconds: number; at: number }>()
  #tidyAt = leastTidy

  constructor(most: number) {
    this.#most = most
  }

  refuse(key: string): void {
    const over = this.#now(key) - this.#most
    if (over > 0) throw new RunnerBusy(true, Math.ceil(this.#secondsUntil(over)))
  }

  add(key: string, seconds: number): void {
    if (seconds < leastSeconds) return
    this.#byKey.set(key, { seconds: this.#now(key) + seconds, at: performance.now() })
    if (this.#byKey.size < this.#tidyAt) return
    for (const known of this.#byKey.keys()) if (this.#now(known) === 0) this.#byKey.delete(known)
    this.#tidyAt = Math.max(leastTidy, 2 * this.#byKey.size)
  }

  #now(key: string): number {
    const known = this.#byKey.get(key)
    if (!known) return 0
    return Math.max(0, known.seconds - ((performance.now() - known.at) / 60_000) * this.#most)
  }

  #secondsUntil(over: number): number {
    return (60 * over) / this.#most
  }
}

const leastTidy = 256
/** Less than the wait for a process: it is not counted. */
const leastSeconds = 0.01

/** Runs of one queue, which take turns by their keys on a few hosts. */
class RunQueue {
  readonly #limits: QueueLimits
  readonly #idleMs: number
  readonly #slots: FairSlots
  readonly #idle = new Map<Host, NodeJS.Timeout>()
  readonly #hosts = new Set<Host>()
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(limits: QueueLimits, idleMs: number) {
    this.#limits = limits
    this.#idleMs = idleMs
    this.#slots = new FairSlots(limits.hosts)
  }

  get waiting(): number {
    return this.#slots.waiting
  }

  run<Value>(key: string, { isPatient = false }: Asked, work: (host: Host) => Promise<Value>): Promise<Value> {
    if (this.#isClosed) return Promise.reject(new RunnerBusy(false))
    const release = this.#slots.tryTake(key)
    if (release) return this.#work(release, work)
    return this.#wait(key, isPatient).then(late => {
      if (!this.#isClosed) return this.#work(late, work)
      late()
      throw new RunnerBusy(false)
    })
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true
    for (const host of this.#idle.keys()) this.#end(host)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([Promise.allSettled(this.#running), late])
    clearTimeout(timer)
    for (const host of this.#hosts) this.#end(host)
  }

  #wait(key: string, isPatient: boolean): Promise<() => void> {
    const { waiting, waitingOfKey, waitMs } = this.#limits
    if (isPatient) return this.#slots.take(key)
    const ofKey = this.#slots.countOf(key)
    if (ofKey > waitingOfKey) return Promise.reject(new RunnerBusy(true))
    if (this.waiting >= waiting) return Promise.reject(new RunnerBusy(false))
    const tooLong = new AbortController()
    const timer = setTimeout(() => tooLong.abort(new RunnerBusy(ofKey > 0)), waitMs)
    return this.#slots.take(key, tooLong.signal).finally(() => clearTimeout(timer))
  }

  async #work<Value>(release: () => void, work: (host: Host) => Promise<Value>): Promise<Value> {
    const host = this.#host()
    const running = work(host)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
      this.#rest(host)
      release()
    }
  }

  #host(): Host {
    for (const [host, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(host)
      if (!host.isOver) return host
      this.#hosts.delete(host)
    }
    const host = new Host(this.#limits.heapMb)
    this.#hosts.add(host)
    return host
  }

  #rest(host: Host): void {
    if (host.isOver || this.#isClosed) this.#end(host)
    else this.#idle.set(host, setTimeout(() => this.#end(host), this.#idleMs).unref())
  }

  #end(host: Host): void {
    clearTimeout(this.#idle.get(host))
    this.#idle.delete(host)
    this.#hosts.delete(host)
    host.end()
  }
}
