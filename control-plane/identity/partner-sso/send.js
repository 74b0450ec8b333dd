// the link leaves the address bar and the history, then the form is sent without a click
history.replaceState(null, '', location.pathname)
document.querySelector('form[data-send]')?.requestSubmit()
