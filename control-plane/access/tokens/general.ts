import { type TenantScope, tenantScopes } from '#contract/scopes.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import type { TokenFamily } from './endpoints.ts'
import { NewGeneralToken } from './input.ts'
import { refuseBroader } from './pass-on.ts'
import { GeneralTokenView, viewGeneralTokens } from './view.ts'

/** What the families of tokens with general scopes have in common: keys of a team, and personal tokens. */
export const generalTokens = {
  all: { underImpersonation: 'refused' },
  body: NewGeneralToken,
  view: GeneralTokenView,
  viewAll: viewGeneralTokens,
  scopes: tenantScopes,
  refuse: (caller, scopes) => refuseBroader(caller, scopes as readonly TenantScope[]),
  beforeNew: context => reserveQuota(context, 'api_keys', 1),
} satisfies Partial<TokenFamily>
