import { type ResellerScope, resellerScopes } from '#contract/scopes.ts'
import { type TokenFamily, tokenEndpoints } from '#control-plane/access/tokens/endpoints.ts'
import { refuseBroaderReseller } from '#control-plane/access/tokens/pass-on.ts'
import { ownScopesOnly, tokensOf } from './find.ts'
import { NewResellerToken } from './input.ts'
import { ResellerTokenView, viewResellerToken } from './view.ts'

export const resellerTokens: TokenFamily = {
  path: '/reseller/tokens',
  noun: 'reseller_token',
  reading: { reseller: 'teams:read' },
  writing: { reseller: 'any' },
  says: {
    list: { summary: 'List the reseller’s tokens', description: 'Newest first, without their secrets.' },
    get: { summary: 'Get one of the reseller’s tokens, without its secret' },
    create: {
      summary: 'Create a reseller token',
      description:
        'Its secret is shown once. ' +
        `${ownScopesOnly} It acts for the person behind the token of this call while they administer it.`,
    },
    rotate: {
      summary: 'Rotate a reseller token',
      description:
        'The old secret keeps working for a while. ' +
        'The new token takes over name, scopes and expiry. A token is replaced once. ' +
        `${ownScopesOnly} It must not outlive the token of this call.`,
    },
    delete: { summary: 'Delete a reseller token', description: ownScopesOnly },
  },
  body: NewResellerToken,
  view: ResellerTokenView,
  viewAll: (_, rows) => rows.map(viewResellerToken),
  holderOf: ({ tenant }) => tokensOf(tenant),
  peopleOf: ({ caller }) => ({ userId: caller.user?.id ?? null, createdBy: caller.user?.id ?? null }),
  scopes: resellerScopes,
  refuse: (caller, scopes) => refuseBroaderReseller(caller, scopes as readonly ResellerScope[]),
  refusesDeletion: true,
}

export const {
  list: listResellerTokens,
  get: getResellerToken,
  create: createResellerToken,
  rotate: rotateResellerToken,
  remove: deleteResellerToken,
} = tokenEndpoints(resellerTokens)
