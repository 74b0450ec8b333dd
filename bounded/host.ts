import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localesFolder } from '#contract/locales-config.ts'
import { ProgramError, RunExceeded, RunnerBusy, type Thrown, thrownBy } from './errors.ts'
import type { Answer, Message } from './process.ts'
import type { Program } from './program.ts'

/** Answers a question of a program. What it throws is thrown in the program. */
export type Reply = (question: unknown) => Promise<unknown>
const noReply: Reply = () => Promise.reject(new Error('The caller answers no questions.'))

type AnyProgram = Omit<Program<never, never>, 'types'>

/** Loading the code of a program may take so long: the machine may be busy. */
const loadMs = 30_000
const youngMb = 8
/** A process keeps a little of each run, and the next one would find its memory short. */
const mostRuns = 1_000

/** One process that runs programs, one run at a time. */
export class Host {
  readonly #child: ChildProcess
  #isOver = false
  #runs = 0

  constructor(heapMb: number) {
    this.#child = fork(join(import.meta.dirname, 'process.ts'), [], {
      // nothing else of our environment: it holds keys
      env: localesFolder === undefined ? {} : { LOCALES_FOLDER: localesFolder },
      execArgv: [
        '--permission',
        '--allow-fs-read=*',
        `--max-old-space-size=${heapMb}`,
        `--max-semi-space-size=${youngMb}`,
        '--disable-warning=ExperimentalWarning',
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const over = () => {
      this.#isOver = true
    }
    this.#child.once('exit', over).on('error', over)
    this.#rest()
  }

  /** It takes no further run. */
  get isOver(): boolean {
    return this.#isOver || this.#runs >= mostRuns
  }

  /** Processor time since its start, where the system says it. */
  get cpuMs(): number | undefined {
    return cpuMsOf(this.#child.pid)
  }

  end(): void {
    this.#isOver = true
    this.#child.kill('SIGKILL')
  }

  /** Throws a `ProgramError` or a `RunExceeded`; after the latter it is over. */
  async run<Input, Output>(program: Program<Input, Output>, input: Input, reply?: Reply): Promise<Output> {
    const [made] = await Array.fromAsync(this.#answers(program, { input, isList: false }, reply))
    return made as Output
  }

  /** The items of a list, each made when it is asked for. */
  list<Input, Item>(program: Program<Input, Item>, input: Input, reply?: Reply): AsyncGenerator<Item> {
    return this.#answers(program, { input, isList: true }, reply) as AsyncGenerator<Item>
  }

  async *#answers(
    program: AnyProgram,
    order: { input: unknown; isList: boolean },
    reply: Reply = noReply,
  ): AsyncGenerator<unknown> {
    this.#runs++
    this.#child.ref()
    this.#child.channel?.ref()
    const watch = new Watch(this.#child, program, { reply, end: () => this.end() })
    try {
      let answer = await watch.ask({ ...order, file: program.file, stepMs: program.wallMs })
      for (; 'item' in answer; answer = await watch.ask('next')) yield answer.item
      if ('error' in answer) {
        const error = errorOf(program, answer.error)
        // what was interrupted may be in any state
        if (error instanceof RunExceeded) this.end()
        throw error
      }
      if ('value' in answer) yield answer.value
    } finally {
      watch.stop()
      // a list that is not read to its end would be continued by the next run
      if (watch.isDone) this.#rest()
      else this.end()
    }
  }

  /** A process without a run does not keep ours alive. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

const errorOf = ({ name: program }: AnyProgram, { name, message, fields }: Thrown): Error =>
  fields.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    ? new RunExceeded(program, 'time')
    : new ProgramError(name, message, fields)

/** The messages of one run, and its bounds. */
class Watch {
  readonly #child: ChildProcess
  readonly #program: AnyProgram
  readonly #reply: Reply
  readonly #end: () => void
  #answer = Promise.withResolvers<Answer>()
  #timer: NodeJS.Timeout | undefined
  #askedAt = 0
  /** Questions of the program that are not answered yet. */
  #open = 0
  /** Processor time of the process when the run began; undefined: its code is being loaded. */
  #cpuBefore: number | undefined
  /** The last answer of the run has come. */
  isDone = false

  constructor(child: ChildProcess, program: AnyProgram, { reply, end }: { reply: Reply; end: () => void }) {
    this.#child = child
    this.#program = program
    this.#reply = reply
    this.#end = end
    child.on('message', this.#onMessage).on('exit', this.#onEnd).on('error', this.#onEnd)
  }

  ask(message: Message): Promise<Answer> {
    this.#answer = Promise.withResolvers()
    this.#askedAt = performance.now()
    if (message === 'next') this.#checkIn(this.#program.cpuMs)
    else this.#timer = setTimeout(this.#onEnd, loadMs)
    this.#child.send(message, error => {
      if (error) this.#onEnd()
    })
    return this.#answer.promise
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#child.off('message', this.#onMessage).off('exit', this.#onEnd).off('error', this.#onEnd)
  }

  readonly #onMessage = (answer: Answer) => {
    clearTimeout(this.#timer)
    if ('isReady' in answer) {
      this.#askedAt = performance.now()
      this.#cpuBefore = cpuMsOf(this.#child.pid) ?? 0
      this.#checkIn(this.#program.cpuMs)
      return
    }
    if ('question' in answer) {
      void this.#answerTo(answer)
      return
    }
    this.isDone = !('item' in answer)
    this.#answer.resolve(answer)
  }

  /** What the program waits for is not its own time. */
  async #answerTo({ question, number }: Extract<Answer, { question: unknown }>): Promise<void> {
    let message: Message
    this.#open++
    try {
      message = { reply: number, value: await this.#reply(question) }
    } catch (error) {
      message = { reply: number, error: thrownBy(error) }
    }
    if (this.isDone || !this.#child.connected) return
    if (--this.#open === 0) {
      clearTimeout(this.#timer)
      this.#askedAt = performance.now()
      this.#checkIn(this.#program.cpuMs)
    }
    this.#child.send(message, error => {
      if (error) this.#onEnd()
    })
  }

  /** A process that ends while it loads code was not ended by its input. */
  readonly #onEnd = () =>
    this.#fail(this.#cpuBefore === undefined ? new RunnerBusy(false) : new RunExceeded(this.#program.name, 'memory'))

  /** A busy machine lets a run wait: what counts is its processor time, as far as the system says it. */
  #checkIn(ms: number): void {
    const { cpuMs, wallMs, name } = this.#program
    this.#timer = setTimeout(
      () => {
        const used = cpuMsOf(this.#child.pid)
        const left = Math.min(
          wallMs - (performance.now() - this.#askedAt),
          used === undefined ? wallMs : cpuMs - (used - (this.#cpuBefore ?? 0)),
        )
        if (left <= 0) this.#fail(new RunExceeded(name, 'time'))
        else this.#checkIn(Math.max(left, leastCheckMs))
      },
      Math.min(ms, wallMs),
    )
  }

  #fail(error: Error): void {
    this.#end()
    this.#answer.reject(error)
  }
}

const leastCheckMs = 20
/** The kernel counts for programs in hundredths of a second, whatever its own clock is. */
const tickMs = 10

/** Processor time of a process since its start, where the system has `/proc`. */
function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
    return (user + system) * tickMs
  } catch {
    return undefined
  }
}
