import type { z } from 'zod'
import { type Endpoint, endpoint, type Facts, type Method } from '#control-plane/kernel/endpoint.ts'
import type { Reply } from '#control-plane/kernel/reply.ts'
import { findCheck } from './find.ts'
import type { CheckRow } from './row.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

interface CheckVerb<Schema extends z.ZodType, Query extends z.ZodType | undefined, Body extends z.ZodType | undefined> {
  method: Method
  /** What follows the check's own path: empty, or a slash and a word. */
  suffix: '' | `/${string}`
  summary: string
  description?: string
  needs: 'read' | 'write'
  query?: Query
  body?: Body
  returns: Reply<Schema>
  handle(facts: Facts<{ check: string }, Parsed<Query>, Parsed<Body>> & { found: CheckRow }): Promise<z.input<Schema>>
}

/** Who may do what with checks, by both doors. */
export const checkAccess = {
  read: { tenant: 'checks:read', reseller: 'monitors:read' },
  write: { tenant: 'checks:write', reseller: 'monitors:write' },
} as const

/** One declaration for a verb on a check, reached by the check's own path and below its monitor's. The handler is given the check. */
export function checkVerb<Schema extends z.ZodType, Query extends z.ZodType | undefined = undefined, Body extends z.ZodType | undefined = undefined>({
  suffix,
  needs,
  handle,
  ...declaration
}: CheckVerb<Schema, Query, Body>): Endpoint[] {
  const shared = { ...declaration, tag: 'checks', access: checkAccess[needs] }
  return [
    endpoint<`/checks/{check}${string}`, Schema, Query, Body>({
      ...shared,
      path: `/checks/{check}${suffix}`,
      handle: async facts => handle({ ...facts, found: await findCheck(facts.em, facts.tenant, facts.params.check) }),
    }),
    endpoint<`/monitors/{monitor}/checks/{check}${string}`, Schema, Query, Body>({
      ...shared,
      path: `/monitors/{monitor}/checks/{check}${suffix}`,
      handle: async facts => handle({ ...facts, found: await findCheck(facts.em, facts.tenant, facts.params.check, facts.params.monitor) }),
    }),
  ]
}
