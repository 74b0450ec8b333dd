import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { say } from './say.ts'
import { whyOf } from './why.ts'

export interface Action {
  id: string
  label: string
  act(): unknown
  isDanger?: boolean
}

/** What can be done with a row, behind one button. A failure is said. */
export function Actions({ label, actions }: { label: string; actions: readonly Action[] }) {
  const { t } = useTranslation('access')
  const perform = async ({ act }: Action) => {
    try {
      await act()
    } catch (error) {
      say(whyOf(error, t))
    }
  }
  return (
    <MenuTrigger>
      <Button variant="quiet" icon="more" aria-label={label} />
      <Popover className="popover">
        <Menu className="choices" aria-label={label}>
          {actions.map(action => (
            <MenuItem
              key={action.id}
              id={action.id}
              className={action.isDanger ? 'choice danger' : 'choice'}
              onAction={() => void perform(action)}
            >
              {action.label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
