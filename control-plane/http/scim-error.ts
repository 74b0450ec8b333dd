import { z } from 'zod'
import { Refusal } from '#control-plane/base/refusal.ts'

/** The media type of SCIM (RFC 7644, section 3.1). */
export const scimMedia = 'application/scim+json'
/** Below it every answer is in the format of SCIM, refusals too. */
export const scimPath = '/api/scim/v2'

/** The kinds of a 400 and of a 409 that RFC 7644 names (section 3.12, table 9), as far as they occur here. */
type ScimKind =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

const messageOf = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const ScimError = z
  .object({
    schemas: z.array(z.literal(messageOf)),
    status: z.string().meta({ description: 'The status of HTTP, as text.' }),
    scimType: z.string().optional().meta({ description: 'The kind of error, as RFC 7644 names it.' }),
    detail: z.string(),
  })
  .meta({ id: 'ScimError' })

/** A 400 of SCIM, or a 409 where a value is taken. */
export const scimRefusal = (kind: ScimKind, detail: string): Refusal =>
  new Refusal(kind === 'uniqueness' ? 409 : 400, 'scim', detail, { details: { scimType: kind } })

/** Whether a path is answered in the format of SCIM. */
export const isScim = (path: string): boolean => path === scimPath || path.startsWith(`${scimPath}/`)

/** Statuses that SCIM has no use for become the nearest one that it defines. */
function statusOf({ status, code }: Refusal): number {
  if (status !== 422) return status
  if (code === 'plan_limit') return 403
  return code === 'taken' ? 409 : 400
}

/** A refusal in the format of SCIM: its status, and its body. */
export function scimErrorOf(refusal: Refusal): { status: number; body: z.input<typeof ScimError> } {
  const { code, errors, details, message } = refusal
  const status = statusOf(refusal)
  const kind = kindOf(status, code, details.scimType)
  const reasons = Object.entries(errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(' ')}`)
  return {
    status,
    body: {
      schemas: [messageOf],
      status: String(status),
      ...(kind !== undefined && { scimType: kind }),
      detail: reasons.length > 0 ? reasons.join(' ') : message,
    },
  }
}

function kindOf(status: number, code: string, given: string | number | undefined): string | undefined {
  if (given !== undefined) return String(given)
  if (status === 409) return 'uniqueness'
  if (status !== 400) return undefined
  return code === 'malformed' ? 'invalidSyntax' : 'invalidValue'
}
