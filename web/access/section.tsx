import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { PageHead } from '../parts/page-head.tsx'
import './section.css'

interface SectionProps {
  title: string
  label: string
  /** What stands above all pages. */
  notice?: ReactNode
  children: ReactNode
}

/** An area of several pages: their links beside the page that is open, which the window is named after. */
export function Section({ title, label, notice, children }: SectionProps) {
  const nav = useRef<HTMLElement>(null)
  const [page, setPage] = useState<string | null>(null)
  const { pathname } = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation ?? { pathname: '' } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or language changes which link is current
  useLayoutEffect(() => {
    setPage(nav.current?.querySelector('[aria-current="page"]')?.textContent ?? null)
  }, [pathname, children])
  return (
    <div className="page">
      <PageHead title={title} windowTitle={page === null || page === title ? title : `${page} · ${title}`} />
      {notice}
      <div className="section">
        <nav ref={nav} aria-label={label}>
          {children}
        </nav>
        <div className="section-page">
          <Suspense fallback={<div className="loading" />}>
            <Outlet />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
