import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import './tabs.css'

/** Parts of a page that have addresses of their own: `TabLink`s. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs" aria-label={label}>
    {children}
  </nav>
)

/** A tab; the router marks the one at hand. Give `activeOptions={{ exact: true }}` to the one that others are below. */
export const TabLink = createLink((props: ComponentProps<'a'>) => <a {...props} className="tab" />)
