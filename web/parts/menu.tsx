import type { ReactElement, RefObject } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'
import './menu.css'

export interface MenuAction {
  id: string
  label: string
  icon?: IconName
  isDanger?: boolean
  isDisabled?: boolean
  onAction(): void
}

interface Named {
  /** What the actions belong to, for screen readers. */
  label: string
  actions: readonly MenuAction[]
}

interface MenuProps extends Named {
  /** The button that opens the menu; three dots by default. */
  trigger?: ReactElement
}

/** Actions behind a button. */
export function Menu({ label, actions, trigger }: MenuProps) {
  const { t } = useTranslation('parts')
  return (
    <MenuTrigger>
      {trigger ?? <Button variant="quiet" icon="more" aria-label={t('menu.of', { name: label })} />}
      <Popover className="popover">
        <Actions label={label} actions={actions} />
      </Popover>
    </MenuTrigger>
  )
}

/** The actions of a button that is there already: a menu that is loaded when it is opened. */
export function OpenMenu({
  trigger,
  onClose,
  ...rest
}: Named & { trigger: RefObject<Element | null>; onClose(): void }) {
  return (
    <Popover className="popover" triggerRef={trigger} isOpen onOpenChange={isStill => !isStill && onClose()}>
      <Actions {...rest} onClose={onClose} />
    </Popover>
  )
}

function Actions({ label, actions, onClose }: Named & { onClose?(): void }) {
  return (
    <AriaMenu className="choices" aria-label={label} {...(onClose && { onClose, autoFocus: 'first' })}>
      {actions.map(({ id, label: text, icon, isDanger, isDisabled = false, onAction }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={text}
          isDisabled={isDisabled}
          className={isDanger ? 'choice menu-item danger' : 'choice menu-item'}
          onAction={onAction}
        >
          {icon && <Icon name={icon} />}
          {text}
        </MenuItem>
      ))}
    </AriaMenu>
  )
}
