import { type DestinationStream, type Logger, pino } from 'pino'
import { activeSpan } from '#control-plane/base/tracing.ts'

const secrets = /\b(ss|rk|ik|svc|sk|ag|am)-[\w-]{43}[0-9a-z]{7}/g
// bounded, so that no line takes longer than a multiple of its length
const jwts = /\beyJ[\w-]{1,512}\.[\w-]{1,4096}\.[\w-]*/g
const passwordsInUrls = /(:\/\/[^\s/:@"\\]*:)[^\s/@"\\]+@/g
const addresses = /[\w.!#$%&'*+=?^`{|}~-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+/g

/** Removes secrets from a line, because messages of errors may contain them. */
export function scrub(line: string): string {
  let clean = line.replace(secrets, '$1-…')
  if (clean.includes('eyJ')) clean = clean.replace(jwts, 'jwt…')
  return clean.includes('@') ? clean.replace(passwordsInUrls, '$1…@').replace(addresses, '…@…') : clean
}

const hidden = [
  'authorization',
  'password',
  'password_hash',
  'token',
  'access_token',
  'assertion',
  'secret',
  'secretKey',
  'email',
  'cookie',
]

const longestMessage = 500

/** The fields of an error that help to find the fault. Others, such as PostgreSQL's failing row, hold customer data. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error))
    return typeof error === 'string' ? error.slice(0, longestMessage) : { type: typeof error }
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    message: error.message.slice(0, longestMessage),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof table === 'string' && { table }),
    stack: error.stack
      ?.split('\n')
      .filter(line => line.trimStart().startsWith('at '))
      .slice(0, 12)
      .map(line => line.slice(0, longestMessage))
      .join('\n'),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}

/**
 * Structured lines on standard output. Fields that hold secrets are dropped by name, secrets in text by their shape.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // where a span is recorded
      mixin() {
        const span = activeSpan()
        return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
      },
      formatters: { level: label => ({ level: label }) },
      redact: { paths: hidden.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '…' },
      serializers: { err: error => describeError(error) },
      hooks: { streamWrite: scrub },
    },
    destination ?? openOutput(),
  )
}

const mostUnwritten = 1_000_000
const flushMs = 100

/**
 * Buffers lines for a tenth of a second, and up to a megabyte of them while they cannot be written (full disk), so that
 * logging never blocks. Without lines it does nothing: `periodicFlush` would write nothing ten times a second.
 */
function openOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, minLength: 4_096, maxLength: mostUnwritten })
  output.on('error', () => {})
  const write = output.write.bind(output)
  let isFlushDue = false
  const flush = () => {
    isFlushDue = false
    output.flush()
  }
  return Object.assign(output, {
    write(line: string) {
      if (!isFlushDue) setTimeout(flush, flushMs).unref()
      isFlushDue = true
      return write(line)
    },
  })
}
