import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, bodyOf, type Schemas } from '../api.ts'
import { accentsOf } from './colors.ts'

type Brand = Schemas['EffectiveBranding']

const brandQuery = queryOptions({
  queryKey: ['branding', 'effective'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/branding', { signal }))).data.effective,
  staleTime: 300_000,
})

/** Colours of the platform itself, for which the style sheet has its own pairs. */
const defaultColor = '#1f6feb'

/** The brand of the team at hand; undefined until it is known, and for people who may not read it. */
export function useBrand(): Brand | undefined {
  const { data: brand } = useQuery(brandQuery)
  const color = brand?.primary_color ?? defaultColor
  useEffect(() => {
    const { style } = document.documentElement
    const colors = color === defaultColor ? null : accentsOf(color)
    for (const name of ['--accent', '--on-accent', '--link'] as const) style.setProperty(name, colors?.[name] ?? null)
  }, [color])
  useEffect(() => {
    if (brand?.favicon_url && isAllowed(brand.favicon_url))
      document.querySelector('link[rel="icon"]')?.setAttribute('href', brand.favicon_url)
  }, [brand?.favicon_url])
  return brand
}

/** Whether the policy of this page lets a picture load: from here, or from where the brand of this host has its own. */
export function isAllowed(url: string): boolean {
  const allowed = document.querySelector('meta[name="picture-origins"]')?.getAttribute('content')?.split(' ') ?? []
  const { origin } = new URL(url, location.origin)
  return origin === location.origin || allowed.includes(origin)
}
