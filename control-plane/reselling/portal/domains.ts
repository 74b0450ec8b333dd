import type { Endpoint } from '#control-plane/http/endpoint.ts'
import { mayRead, mayWrite } from '#control-plane/publishing/custom-domains/access.ts'
import { createCustomDomain } from '#control-plane/publishing/custom-domains/create.ts'
import { deleteCustomDomain } from '#control-plane/publishing/custom-domains/delete.ts'
import { getCustomDomain } from '#control-plane/publishing/custom-domains/get.ts'
import { listCustomDomains } from '#control-plane/publishing/custom-domains/list.ts'
import { updateCustomDomain } from '#control-plane/publishing/custom-domains/update.ts'
import { verifyCustomDomain } from '#control-plane/publishing/custom-domains/verify.ts'

/** The same endpoint for the reseller's own account, by its token. */
const forReseller = (own: Endpoint, scope: typeof mayRead | typeof mayWrite): Endpoint => ({
  ...own,
  path: `/reseller${own.path}`,
  summary: own.summary
    .replace('a custom domain', 'a custom domain of your own')
    .replace('custom domains,', 'your own custom domains,'),
  access: { reseller: scope.reseller },
})

export const resellerDomains: Endpoint[] = [
  forReseller(listCustomDomains, mayRead),
  forReseller(createCustomDomain, mayWrite),
  forReseller(getCustomDomain, mayRead),
  forReseller(updateCustomDomain, mayWrite),
  forReseller(deleteCustomDomain, mayWrite),
  forReseller(verifyCustomDomain, mayWrite),
]
