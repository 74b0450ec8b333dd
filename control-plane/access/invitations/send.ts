import { stamp } from '#contract/time.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

interface Invited {
  email: string
  role: string
  mailedUrl: string
  shownUrl: string
  expiresAt: Date
}

/** The mail is in the inviter's language: the recipient's would reveal that the address has an account. */
export function sendInvitation(
  { mail, caller, tenant }: Pick<RequestContext, 'mail' | 'caller' | 'tenant'>,
  { email, role, mailedUrl, shownUrl, expiresAt }: Invited,
): void {
  const isOneOfThem = (caller.kind === 'ss' || caller.kind === 'sk') && caller.tenant.id === tenant.id
  mail(
    'invitation',
    { userId: null, email, name: null, language: caller.user?.language ?? 'en' },
    {
      team_name: tenant.name,
      invited_by: (isOneOfThem && caller.user?.name) || null,
      role,
      accept_url: mailedUrl,
      shown_url: shownUrl,
      expires_at: stamp(expiresAt),
    },
  )
}
