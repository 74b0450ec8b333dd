import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps, ProgressBar } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './icons.tsx'
import './button.css'

interface Look {
  /** One primary button a form or page. `quiet` has no border until the pointer is over it. */
  variant?: 'primary' | 'plain' | 'danger' | 'quiet'
  icon?: IconName
  /** Without a text, `aria-label` names the button. */
  children?: ReactNode
}

export interface ButtonProps extends Look, Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'render'> {
  ref?: Ref<HTMLButtonElement>
}

/** A button. `isPending` keeps the focus on it, and nothing happens when it is pressed again. */
export function Button({ variant = 'plain', icon, children, ...rest }: ButtonProps) {
  const { t } = useTranslation('parts')
  return (
    <AriaButton {...rest} className={`button ${variant}${children === undefined ? ' icon-only' : ''}`}>
      {({ isPending }) => (
        <>
          {isPending ? (
            <ProgressBar className="spinner" aria-label={t('pending')} isIndeterminate />
          ) : (
            icon && <Icon name={icon} />
          )}
          {children}
        </>
      )}
    </AriaButton>
  )
}

/** A link that looks as a button does: it leads to an address, and changes nothing. */
export const ButtonLink = createLink(
  ({ variant = 'plain', icon, children, ...rest }: Look & Omit<ComponentProps<'a'>, 'children' | 'className'>) => (
    <a {...rest} className={`button ${variant}`}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  ),
)
