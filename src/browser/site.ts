/** What every page does when scripts are on. */
document.documentElement.classList.add('scripted');
