import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import './empty-state.css'

interface EmptyStateProps {
  /** What there is none of. */
  title: string
  icon?: IconName
  /** What it is for, and how one gets the first. */
  children?: ReactNode
  /** The way to the first one. */
  action?: ReactNode
}

/** Stands where a list would be. */
export const EmptyState = ({ title, icon = 'info', children, action }: EmptyStateProps) => (
  <div className="empty card">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children && <div className="soft">{children}</div>}
    {action && <div className="row">{action}</div>}
  </div>
)
