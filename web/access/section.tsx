import { Outlet } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { PageHead } from '../parts/page-head.tsx'
import './section.css'

/** An area of several pages: their links beside the page that is open. */
export function Section({ title, label, children }: { title: string; label: string; children: ReactNode }) {
  return (
    <div className="page">
      <PageHead title={title} />
      <div className="section">
        <nav aria-label={label}>{children}</nav>
        <div className="section-page">
          <Suspense fallback={<div className="loading" />}>
            <Outlet />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
