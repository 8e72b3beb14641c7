/** The law that the licence follows from, as its title is put into English. */
export const ACT = 'Electronic Administration Act';
