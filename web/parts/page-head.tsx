import { type ReactNode, useEffect } from 'react'
import { ApiCalls } from './api-calls.tsx'
import './page-head.css'

interface PageHeadProps {
  /** The heading, and the title of the window. */
  title: string
  /** Stands beside the heading, such as a status. */
  status?: ReactNode
  subtitle?: ReactNode
  /** Buttons and menus. */
  actions?: ReactNode
}

/** The beginning of each page. */
export function PageHead({ title, status, subtitle, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <header className="page-head">
      <div>
        <div className="row">
          <h1>{title}</h1>
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
