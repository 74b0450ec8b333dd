/**
 * Hosts of a queue run at most one program at a time each. `short`: what a caller waits for; `long`: documents; `slow`:
 * what itself waits, such as for another service.
 */
export type QueueName = 'short' | 'long' | 'slow'

/** Code that reads or runs what others wrote. It runs in a process of its own, without secrets and within bounds. */
export interface Program<Input, Output> {
  /** Label of metrics, such as `saml_answer`. */
  name: string
  /** Absolute path of the module whose export `run` is called. */
  file: string
  queue: QueueName
  /** Processor time of one run in milliseconds. */
  cpuMs: number
  /** Time of one run in milliseconds, on a busy machine too; it also ends a run that waits instead of computing. */
  wallMs: number
  /** Never set: it keeps the types. */
  readonly types?: (input: Input) => Output
}

type Run<Input, Output> = (input: Input, ask: Ask) => Output | Promise<Output>
/** Asks the caller of the run, who answers by `reply`. What it throws is thrown here, by its name and its fields. */
export type Ask = (question: unknown) => Promise<unknown>

/**
 * Declares a program beside the code that asks for it: `boundedProgram<typeof run>({ … })` with `import type { run }`,
 * so that the code of the program is loaded by its process alone.
 */
export const boundedProgram = <Code extends Run<never, unknown>>(
  program: Omit<Program<never, never>, 'types'>,
): Program<Parameters<Code>[0], Awaited<ReturnType<Code>>> => program

/** A program whose `run` is a generator: its items arrive one after the other, each asked for. */
export const boundedList = <Code extends (input: never, ask: Ask) => Iterable<unknown> | AsyncIterable<unknown>>(
  program: Omit<Program<never, never>, 'types'>,
): Program<
  Parameters<Code>[0],
  ReturnType<Code> extends Iterable<infer Item> | AsyncIterable<infer Item> ? Item : never
> => program
