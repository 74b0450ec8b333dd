import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProgramError, RunExceeded } from '#bounded/errors.ts'
import { boundedList } from '#bounded/program.ts'
import type { BoundedRunner } from '#bounded/runner.ts'
import {
  type ImportedItem,
  type Source,
  SourceError,
  type SourceInput,
  type SourceItem,
  type TheirStatus,
} from '#importers/source.ts'
import type { run, SourceOrder, SourceQuestion, SourceReply } from './source-program.ts'

/** A source that is read by a program, for a tenant. */
export interface RunningSource {
  read(input: SourceInput): Promise<SourceItem[]>
  poll(input: SourceInput, imported: readonly ImportedItem[]): Promise<Map<string, TheirStatus>>
  pause(input: SourceInput, ids: readonly string[]): Promise<void>
}

const reading = boundedList<typeof run>({
  name: 'migration_source',
  file: join(import.meta.dirname, 'source-program.ts'),
  queue: 'slow',
  cpuMs: 60_000,
  wallMs: 300_000,
})

/** Calls throw a `SourceError` where it is the source's fault. */
export function runSource(bounded: BoundedRunner, tenantId: string, { name, isDatabase }: Source): RunningSource {
  const read = async (input: SourceInput, what: SourceOrder['what']) => {
    const { credential, pingKey, baseUrl, reach } = input
    const found: (SourceItem | [string, TheirStatus])[] = []
    const failed: { by?: unknown } = {}
    await using file = isDatabase && what.do === 'read' ? await onDisk(input.file) : null
    const plain = { file: isDatabase ? null : input.file, path: file?.path ?? null, credential, pingKey, baseUrl }
    const order: SourceOrder = { source: name, input: plain, requests: reach.left(), what }
    const asked = { isPatient: true, reply: (question: unknown) => replyTo(question as SourceQuestion, input, failed) }
    try {
      for await (const some of bounded.list(reading, order, tenantId, asked)) found.push(...some)
    } catch (error) {
      throw failed.by ?? faultOf(error)
    }
    return found
  }
  return {
    read: async input => (await read(input, { do: 'read' })) as SourceItem[],
    poll: async (input, imported) => new Map((await read(input, { do: 'poll', imported })) as [string, TheirStatus][]),
    async pause(input, ids) {
      await read(input, { do: 'pause', ids })
    },
  }
}

/** `failed.by`: an error that is not the source's. */
async function replyTo(question: SourceQuestion, input: SourceInput, failed: { by?: unknown }): Promise<unknown> {
  try {
    if ('done' in question) return await input.progress(question.done, question.total)
    const text = await input.reach.text(question.text, question.ask)
    return { text, left: input.reach.left() } satisfies SourceReply
  } catch (error) {
    if (!(error instanceof SourceError)) failed.by = error
    throw error
  }
}

function faultOf(error: unknown): unknown {
  if (error instanceof RunExceeded)
    return new SourceError(
      error.bound === 'time'
        ? 'The source takes too long to be read.'
        : 'The source holds more than is read of one source.',
    )
  if (!(error instanceof ProgramError) || error.thrown !== 'SourceError') return error
  const { status } = error.fields
  return new SourceError(error.message, typeof status === 'number' ? status : null)
}

const magic = Buffer.from('SQLite format 3\0')

/** Whether the beginning of a file is that of a database of SQLite. */
export const isDatabaseFile = (file: Buffer): boolean => file.subarray(0, magic.length).equals(magic)

/** A database lies on disk while it is read, in a folder that only this account may open. */
async function onDisk(file: Buffer | null): Promise<{ path: string } & AsyncDisposable> {
  if (file === null || file.length === 0) throw new SourceError('The file is empty.')
  if (!isDatabaseFile(file)) throw new SourceError('The file is no SQLite database.')
  const folder = await mkdtemp(join(tmpdir(), 'vedette-source-'))
  const path = join(folder, 'source.db')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    // the write-ahead log is not part of the upload: without it a file of that mode is read as it stands
    if (file.length > 19 && file[18] === 2) file.fill(1, 18, 20)
    await writeFile(path, file, { mode: 0o600 })
  } catch (error) {
    await remove()
    throw error
  }
  return { path, [Symbol.asyncDispose]: remove }
}
