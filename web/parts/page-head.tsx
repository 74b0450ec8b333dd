import type { ReactNode } from 'react'
import { ApiCalls } from './api-calls.tsx'
import { useWindowTitle } from './window-title.ts'
import './page-head.css'

interface PageHeadProps {
  /** The heading, and the first part of the title of the window. */
  title: string
  /** The heading where it is more than its text, such as figures that lead to a list. */
  heading?: ReactNode
  /** What the title of the window begins with; by default the title. */
  windowTitle?: string
  /** Stands beside the heading, such as a status. */
  status?: ReactNode
  subtitle?: ReactNode
  /** Buttons and menus. */
  actions?: ReactNode
}

/** The beginning of each page. */
export function PageHead({ title, heading = title, windowTitle = title, status, subtitle, actions }: PageHeadProps) {
  useWindowTitle(windowTitle)
  return (
    <header className="page-head">
      <div>
        <div className="row">
          <h1>{heading}</h1>
          {status}
        </div>
        {subtitle && <div className="soft">{subtitle}</div>}
      </div>
      <div className="row">
        {actions}
        <ApiCalls />
      </div>
    </header>
  )
}
