import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from '../api.ts'

export const factorQuery = queryOptions({
  queryKey: ['profile', 'mfa'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/profile/mfa', { signal })),
})
export const passkeysQuery = queryOptions({
  queryKey: ['profile', 'passkeys'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/profile/passkeys', { params: { query: { per_page: 100 } }, signal })),
})
export const sessionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['profile', 'sessions', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/profile/sessions', { params: { query: { page } }, signal })),
  })
export const trustedDevicesQuery = queryOptions({
  queryKey: ['profile', 'trusted-devices'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/profile/trusted-devices', { signal })),
})
export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/branding', { signal })),
})
export const smtpQuery = queryOptions({
  queryKey: ['smtp-config'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/smtp-config', { signal })),
})
export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/billing', { signal })),
})
export const invoicesQuery = (page: number) =>
  queryOptions({
    queryKey: ['billing', 'invoices', page],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/billing/invoices', { params: { query: { page } }, signal })),
  })
export const contactMethodsQuery = queryOptions({
  queryKey: ['profile', 'contact-methods'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/profile/contact-methods', { signal })),
})
