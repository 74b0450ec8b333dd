const form = document.querySelector('form')
const told = document.querySelector('#told')
// read before each use: it stays in this page, and leaves it in a body alone
const token = () => location.hash.slice(1)

const post = (url, body) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
const wordsOf = async answer => {
  const { message, errors } = await answer.json().catch(() => ({}))
  return (
    Object.values(errors ?? {})
      .flat()
      .join(' ') ||
    message ||
    form.dataset.failed
  )
}

async function lookUp() {
  const answer = await post(form.dataset.lookup, { token: token() })
  if (!answer.ok) {
    form.hidden = true
    told.textContent = await wordsOf(answer)
    return
  }
  const { data } = await answer.json()
  document.querySelector('#says').append(` ${data.team_name} (${data.email})`)
  for (const field of document.querySelectorAll('[data-newcomer]')) {
    const input = field.querySelector('input')
    field.hidden = data.has_account === true
    input.disabled = data.has_account === true
    // null: it is not said, and who has an account leaves the name out
    input.required = data.has_account === false
  }
}

async function send() {
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
  const inQuery = form.dataset.token === 'query'
  const url = inQuery ? `${form.getAttribute('action')}?token=${encodeURIComponent(token())}` : form.getAttribute('action')
  const answer = await post(url, inQuery ? {} : { ...fields, token: token() })
  told.textContent = answer.ok ? form.dataset.done : await wordsOf(answer)
  form.hidden = answer.ok
  document.querySelector('#next').hidden = !answer.ok || inQuery
}

const failed = () => {
  told.textContent = form.dataset.failed
}
form.addEventListener('submit', event => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  send()
    .catch(failed)
    .finally(() => {
      button.disabled = false
    })
})
if (token() === '') {
  form.hidden = true
  told.textContent = form.dataset.open
} else if (form.dataset.lookup) lookUp().catch(failed)
