/** Script of every page: lets style sheets know that scripts run. */
document.documentElement.classList.add('scripted');
