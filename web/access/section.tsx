import { Outlet } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { PageHead } from '../parts/page-head.tsx'
import './section.css'

interface SectionProps {
  title: string
  label: string
  /** What stands above all pages. */
  notice?: ReactNode
  children: ReactNode
}

/** An area of several pages: their links beside the page that is open. */
export function Section({ title, label, notice, children }: SectionProps) {
  return (
    <div className="page">
      <PageHead title={title} />
      {notice}
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
