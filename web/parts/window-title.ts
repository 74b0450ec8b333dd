import { useEffect } from 'react'
import { useBrand } from '../shell/brand.ts'

/** Names the window or tab: the page, and whose product it is. */
export function useWindowTitle(page: string): void {
  const brand = useBrand()?.brand_name
  useEffect(() => {
    document.title = brand === undefined ? page : `${page} · ${brand}`
  }, [page, brand])
}
